/** `validate`: files of flows and mappings, without a runtime. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { bulkhead, bulkheadProcess } from "../support/command-line.ts";
import { direct } from "../support/flows.ts";
import { folderOf } from "../support/folders.ts";

test("every problem of every file is printed with its line and what is meant underlined, exit code 1", async (t) => {
  const folder = folderOf(t, {
    "a.yaml": direct("a", "a", "setBoddy: { constant: x }", "log: { mesage: x }"),
    "a.flow.yaml": "params: { n: 1 }\nlimts: {}\n",
    "b.yaml": direct("b", "b", "log: fine"),
    "documents/value-mappings/codes.json": "[]",
  });
  // A process of its own, of which nothing listens: no server is asked.
  const { code, stdout, stderr } = await bulkheadProcess(["validate", folder], { BULKHEAD_URL: "http://127.0.0.1:1" });
  assert.deepEqual([code, stderr], [1, ""]);
  const shown = stdout.replaceAll(`${folder}/`, "");
  assert.ok(
    shown.includes(
      [
        "error[unknown_step]: unknown step 'setBoddy' (did you mean 'setBody'?)",
        " --> a.yaml:6:11",
        "  |",
        "6 |         - setBoddy: { constant: x }",
        "  |           ^^^^^^^^",
        "",
      ].join("\n"),
    ),
    shown,
  );
  assert.match(shown, /^error\[unknown_option\]: .*'mesage' \(did you mean 'message'\?\).*\n --> a\.yaml:7:18$/m);
  assert.match(shown, /^error\[companion_invalid\]: there is no option 'limts'.*\n --> a\.flow\.yaml:2:/m);
  assert.match(shown, /^error\[mapping_invalid\]: .*\n *--> documents\/value-mappings\/codes\.json$/m);
  assert.match(shown, /\n[4-9] errors and no warnings in 4 files\n$/);
});

test("limits above their ceilings, policies and connections are checked as a deployment checks them", async (t) => {
  const folder = folderOf(t, {
    "a.yaml": direct("a", "a", "log: fine"),
    "a.flow.yaml": "limits:\n  threads: 100000\n  streamRing: 5\n  runCpuMss: 5\n",
    "documents/auth/a.json": '{ "apiKeys": [{ "name": "x", "key": "in-clear" }], "rules": [{ "rolls": ["x"] }] }',
    "documents/auth/b.json": '{ "public": true }',
    "documents/connections/db.json": '{ "kind": "postgres", "servers": ["a:1"], "password": "x" }',
    "documents/connections/ok.json":
      '{ "kind": "postgres", "servers": ["a:1"], "database": "a", "username": "a", "passwordRef": "A" }',
  });
  const shownBy = async (env: Readonly<Record<string, string>>): Promise<string> => {
    const { code, stdout } = await bulkhead(["validate", folder], { env });
    assert.equal(code, 1, stdout);
    return stdout.replaceAll(`${folder}/`, "");
  };
  const shown = await shownBy({});
  assert.match(shown, /^error\[limit_not_allowed\]: limits\.threads: 100000 is over .*\n +--> a\.flow\.yaml:2:12$/m);
  assert.match(
    shown,
    /^error\[limit_not_allowed\]: limits\.streamRing is set by the operator.*\n +--> a\.flow\.yaml:3:15$/m,
  );
  assert.match(
    shown,
    /^error\[limit_not_allowed\]: limits\.runCpuMss is unknown.*'runCpuMs'.*\n +--> a\.flow\.yaml:4:14$/m,
  );
  assert.match(shown, /^error\[policy_invalid\]: .*'a' has a key in clear at \/apiKeys\/0\/key/m);
  assert.match(shown, /^warning\[unknown_field\]: .*rolls.*\n *--> documents\/auth\/a\.json$/m);
  assert.match(
    shown,
    /^error\[connection_invalid\]: \/password: .*passwordRef.*\n *--> documents\/connections\/db\.json$/m,
  );
  assert.doesNotMatch(shown, /auth\/b\.json|connections\/ok\.json/);
  assert.doesNotMatch(await shownBy({ LIMIT_THREADS_CEILING: "100000" }), /limits\.threads/);
});

test("a fault of an expression in an option of an endpoint, and a warning of an endpoint, are shown at their places", async (t) => {
  const route = (id: string, uri: string, step: string): string =>
    `- route:\n    id: ${id}\n    from:\n      uri: ${uri}\n      steps:\n        - ${step}\n`;
  const folder = folderOf(t, {
    "path.yaml": route("path", "direct:path", 'to: "file:out?fileName=${bodi}"'),
    "parameter.yaml": route(
      "parameter",
      "direct:parameter",
      "to: { uri: file:out, parameters: { fileName: '${bodi}' } }",
    ),
    "poll.yaml": route("poll", "direct:poll", "poll: { uri: file:out, parameters: { move: '${fil:x}' } }"),
    "from.yaml": route("from", 'file:in\n      parameters:\n        move: "${bodi}"', "log: x"),
    "tap.yaml": route("tap", "direct:tap", "wireTap: { uri: 'direct:x', parameters: { timeout: '${bodi}' } }"),
    "to-d.yaml": route("to-d", "direct:to-d", "toD: { uri: file:out, parameters: { fileName: 'x${bodi}' } }"),
    "lost.yaml": route("lost", 'paho\n      parameters: { topic: x, brokerUrl: "tcp://a.example.org" }', "log: x"),
  });
  const { stdout } = await bulkhead(["validate", folder]);
  const places = [...stdout.matchAll(/^(?:error|warning)\[(\w+)\].*\n *--> .*\/([\w-]+\.yaml:\d+:\d+)$/gm)];
  assert.deepEqual(
    places.map(([, code, place]) => `${place} ${code}`),
    [
      "from.yaml:6:18 bad_expression",
      "lost.yaml:4:12 messages_are_lost",
      "parameter.yaml:6:59 bad_expression",
      "path.yaml:6:36 bad_expression",
      "poll.yaml:6:57 expression_syntax",
      "tap.yaml:6:65 expression_syntax",
      "to-d.yaml:6:61 expression_syntax",
    ],
    stdout,
  );
});

test("faults that only the compile finds are all shown, one of each part, and once where they are around all routes", async (t) => {
  const around = "- onException: { exception: [java.lang.Exception], steps: [{ removeHeaders: { pattern: '(' } }] }\n";
  const folder = folderOf(t, {
    "a.yaml": [
      around,
      direct(
        "a",
        "a",
        "removeHeaders: { pattern: '(' }",
        "to: 'file:x?fileName=${bodi}'",
        "filter: { simple: '${body} == 1', steps: [{ removeHeaders: { pattern: '[' } }] }",
      ),
      "- route: { id: b, from: { uri: 'seda:x?concurrentConsumers=1000000', steps: [{ loadBalance: { roundRobinLoadBalancer: {}, steps: [] } }] } }\n",
    ].join(""),
  });
  const { code, stdout } = await bulkhead(["validate", folder]);
  assert.equal(code, 1);
  assert.deepEqual(
    [...stdout.matchAll(/^error\[(\w+)\].*\n *--> .*\/a\.yaml:(\d+):\d+$/gm)].map(
      ([, name, line]) => `${line} ${name}`,
    ),
    ["1 bad_option", "7 bad_option", "8 bad_expression", "9 bad_option", "10 bad_endpoint", "10 bad_option"],
    stdout,
  );
});

test("of a line that is wider than the terminal the part that is meant is shown, and carets stand below wide characters", async (t) => {
  const folder = folderOf(t, {
    "a.yaml": direct("a", "a", `log: { description: "${"x".repeat(200)}", mesage: y }`),
    "b.yaml": direct("b", "b", 'log: { description: "価格 💶", mesage: y }'),
  });
  const { stdout } = await bulkhead(["validate", folder], { width: 60 });
  const blocks = stdout.split("\n\n").filter((block) => block.includes("mesage: y"));
  const [long = [], wide = []] = blocks.map((block) => block.split("\n").slice(-2));
  for (const line of long) assert.ok(line.length <= 60, line);
  assert.match(long[0] ?? "", /^\d+ \| …x+", mesage: y \}$/);
  assert.equal(long[1]?.indexOf("^"), long[0]?.indexOf("mesage"));
  // Each of the three takes two columns of the terminal; the last one is two units of the text itself.
  assert.equal(wide[1]?.indexOf("^"), (wide[0]?.indexOf("mesage") ?? 0) + 2);
});

test("flows that are valid end with 0; warnings fail with --strict only; --json prints the findings alone", async (t) => {
  const folder = folderOf(t, {
    "a.yaml": direct("a", "a", "setBody: { simple: '{{greeting}} {{env:REGION}}' }", "to: direct:elsewhere"),
    "a.flow.yaml": "params: { greeting: hello }\nlimits: { messageBodyBytes: 5000 }\n",
  });
  const plain = await bulkhead(["validate", folder]);
  assert.equal(plain.code, 0, plain.stdout);
  assert.match(plain.stdout, /^warning\[external_direct\]: /);
  const strict = await bulkhead(["validate", folder, "--strict", "--json"]);
  assert.equal(strict.code, 1);
  const [finding, more] = JSON.parse(strict.stdout) as { file: string; code: string; line: number }[];
  assert.deepEqual([finding?.file, finding?.code, more], [join(folder, "a.yaml"), "external_direct", undefined]);
});

test("a direct: target that another of the files consumes is no warning; one of another group is, unless it is shared", async (t) => {
  const folder = folderOf(t, {
    "a.yaml": direct("a", "a", "to: direct:b", "to: direct:everyone", "to: direct:private", "to: direct:nobody"),
    "b.yaml": direct("b", "b", "log: b"),
    "team.shared.yaml": direct("shared", "everyone?shared=true", "log: shared"),
    "team.private.yaml": direct("private", "private", "log: private"),
  });
  const { stdout } = await bulkhead(["validate", folder, "--json"]);
  const findings = JSON.parse(stdout) as { file: string; code: string; line: number }[];
  assert.deepEqual(
    findings.map(({ code, line }) => [code, line]),
    [
      ["external_direct", 8],
      ["external_direct", 9],
    ],
    stdout,
  );
});

test("a message mapping finds the value mappings beside it, and two flows cannot have one route id", async (t) => {
  const folder = folderOf(t, {
    "a.yaml": direct("same", "a", "log: a"),
    "b.yaml": direct("same", "b", "log: b"),
    "documents/value-mappings/codes.json": JSON.stringify({ entries: { DE: "Germany" } }),
    "documents/message-mappings/order.json": JSON.stringify({
      rules: [{ target: "/country", expression: "$vmap('codes', country)" }],
    }),
  });
  const { code, stdout } = await bulkhead(["validate", folder]);
  assert.equal(code, 1);
  assert.match(stdout, /^error\[id_taken\]: the route id 'same' is taken by \S+a\.yaml: /m);
  assert.doesNotMatch(stdout, /codes/);
});

test("a link out of the folder, a FIFO and a huge file are refused, and nothing of them is read or shown", async (t) => {
  const outside = join(folderOf(t, { "secret.txt": "a: secret" }), "secret.txt");
  const flow = direct("orders", "orders", "log: x");
  const cases: readonly (readonly [string, (path: string) => void, RegExp])[] = [
    [
      "linked.yaml",
      (path) => symlinkSync(outside, path),
      /cannot be read: it is a symbolic link that leads out of the folder/,
    ],
    ["documents/connections/linked.json", (path) => symlinkSync(outside, path), /leads out of the folder/],
    [
      "orders.flow.yaml",
      (path) => symlinkSync(outside, path),
      /orders\.flow\.yaml cannot be read: .* leads out of the folder/,
    ],
    ["pipe.yaml", (path) => execFileSync("mkfifo", [path]), /pipe\.yaml cannot be read: it is not a regular file/],
    [
      "large.yaml",
      (path) => {
        writeFileSync(path, "");
        truncateSync(path, 64 * 1024 * 1024 + 1);
      },
      /large\.yaml cannot be read: it has 67108865 bytes, and a document has at most 67108864/,
    ],
  ];
  for (const [path, make, message] of cases) {
    const folder = folderOf(t, { "orders.yaml": flow, "documents/connections/c.json": "{}" });
    make(join(folder, path));
    const { code, stdout, stderr } = await bulkhead(["validate", folder]);
    assert.equal(code, 2, path);
    assert.match(stderr, message);
    assert.doesNotMatch(stdout + stderr, /secret(?!\.txt)/);
  }
  const inside = folderOf(t, { "orders.yaml": flow });
  symlinkSync("orders.yaml", join(inside, "also.yaml"));
  assert.notEqual((await bulkhead(["validate", inside])).code, 2);
});

test("paths that are not there and files that are no flows are refused, exit code 2", async (t) => {
  const folder = folderOf(t, { "orders.yaml": direct("orders", "orders", "log: x"), "notes.txt": "" });
  for (const [path, message] of [
    ["order.yaml", /there is no file \S+order\.yaml \(did you mean 'orders\.yaml'\?\)/],
    ["notes.txt", /notes\.txt is neither a flow \(\*\.yaml\) nor a document/],
  ] as const) {
    const { code, stderr } = await bulkhead(["validate", join(folder, path)]);
    assert.equal(code, 2);
    assert.match(stderr, message);
  }
});
