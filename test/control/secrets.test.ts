/** `{{secret:NAME}}` in a whole runtime: whose value a flow gets, when it is read again, and that nothing shows it. */
import assert from "node:assert/strict";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { NumberedLogEvent } from "../../src/control/streams/log-hub.ts";
import type { TraceEvent } from "../../src/shared/trace-event.ts";
import { eventually } from "../support/clock.ts";
import { webhook } from "../support/flows.ts";
import { startHttpServer } from "../support/http-server.ts";
import { startTestApp, type TestApp, writeSecret } from "../support/start-app.ts";
import { upTo, watch } from "../support/watch-stream.ts";

/** Milliseconds; what is awaited here comes soon, unless the machine is busy with other things. */
const patience = 60_000;

const telling = webhook("r", "setBody: { constant: '{{secret:KEY}}' }");

async function answerOf(app: TestApp, path = "/api/r", body = ""): Promise<string> {
  return (await app.post(path, body)).text();
}

test("a flow's own secret comes before the shared one, and the value is the file's text without its last line end", async (t) => {
  const app = await startTestApp(t, {
    secrets: { "f/KEY": "own-${body}-value\n\n", "_shared/KEY": "shared-value", "_shared/OTHER": "other-value" },
  });
  assert.equal((await app.put("f", telling)).status, 201);
  assert.equal((await app.put("g", telling.replaceAll("r", "r").replace("id: r", "id: s"))).status, 201);
  assert.equal(await answerOf(app), "own-${body}-value\n");
  assert.equal(await answerOf(app, "/api/s"), "shared-value");
});

test("a value comes out literally in simple texts and conditions, in addresses, queries and credentials", async (t) => {
  const value = "a'b\"c${body}/d&e=%41 +?#\\}ä";
  const server = await startHttpServer(t, ({ headers }, response) => {
    if (headers.authorization === undefined) response.writeHead(401, { "WWW-Authenticate": "Basic realm=a" }).end();
    else response.end("ok");
  });
  const app = await startTestApp(t, {
    egressAllow: `127.0.0.1:${server.port}`,
    secrets: {
      "_shared/KEY": value,
      "_shared/HOST": server.host,
      "f/folder/KEY": "in a folder",
      "f/folder/HOST": server.host,
    },
  });
  const flow = [
    webhook(
      "folder",
      "to: 'http://{{secret:folder/HOST}}/f/{{secret:folder/KEY}}?q={{secret:folder/KEY}}&httpMethod=GET'",
    ),
    webhook("in-simple", "setBody: { simple: '${body} {{secret:folder/KEY}}' }"),
    webhook("text", "setBody: { simple: 'is {{secret:KEY}} and ${body}' }"),
    webhook(
      "same",
      `choice: { when: [{ simple: "\${body} == '{{secret:KEY}}'", steps: [{ setBody: { constant: 'yes' } }] }], otherwise: { steps: [{ setBody: { constant: 'no' } }] } }`,
    ),
    webhook(
      "calls",
      "to: 'http://{{secret:HOST}}/hooks/{{secret:KEY}}?q={{secret:KEY}}&httpMethod=GET&authUsername=u&authPassword={{secret:KEY}}'",
    ),
    webhook("dynamic", "toD: 'http://{{secret:HOST}}/d?httpMethod=GET&authBearerToken=RAW({{secret:KEY}})'"),
    webhook(
      "parameters",
      "toD: { uri: 'http://{{secret:HOST}}/p', parameters: { httpMethod: GET, authBearerToken: 'RAW({{secret:KEY}})' } }",
    ),
  ].join("");
  const put = await app.put("f", flow);
  assert.equal(put.status, 201, await put.text());
  assert.equal(await answerOf(app, "/api/text", "b"), `is ${value} and b`);
  assert.equal(await answerOf(app, "/api/same", value), "yes");
  assert.equal(await answerOf(app, "/api/same", "b"), "no");
  assert.equal(await answerOf(app, "/api/calls"), "ok");
  const [, call] = server.heard;
  const url = new URL(call?.url ?? "", server.url);
  assert.equal(decodeURIComponent(url.pathname), `/hooks/${value}`);
  assert.equal(url.searchParams.get("q"), value);
  assert.equal(call?.url?.split("?")[0]?.split("/").length, 4, "the slash of the value is one of the path");
  assert.doesNotMatch(url.search, /\//);
  const basic = `Basic ${Buffer.from(`u:${value}`).toString("base64")}`;
  assert.equal(call?.headers.authorization, basic);
  await app.post("/api/folder", "");
  assert.equal(server.heard.at(-1)?.url, "/f/in%20a%20folder?q=in+a+folder");
  assert.equal(await answerOf(app, "/api/in-simple", "it is"), "it is in a folder");
  for (const path of ["dynamic", "parameters"]) {
    await app.post(`/api/${path}`, "");
    assert.match(String(server.heard.at(-1)?.headers.authorization), /^Bearer a'b"c\$\{body\}/, path);
  }
});

test("what comes with a message reads no secret, whatever it names", async (t) => {
  const app = await startTestApp(t, { secrets: { "f/KEY": "kept-from-callers" } });
  const flow = [
    webhook("used", "log: '{{secret:KEY}}'"),
    webhook("named", "setBody: { simple: '${properties:${body}:none}' }"),
    webhook("made", "toD: 'language:simple:${body}'"),
    webhook("mapped", "messageMapping: { id: all }"),
  ].join("");
  const all = JSON.stringify({ expression: "$string($params)" });
  const mapping = { method: "PUT", headers: { "Content-Type": "application/json" }, body: all };
  assert.equal((await app.api("/message-mappings/all", mapping)).status, 201);
  const put = await app.put("f", flow);
  assert.equal(put.status, 201, await put.text());
  assert.equal(await answerOf(app, "/api/mapped", "1"), "{}", "a mapping is not the flow's own");
  const mark = "\uFDD0KEY\uFDD1";
  assert.equal(await answerOf(app, "/api/named", mark), "none");
  for (const body of [`\${properties:${mark}:none}`, "{{secret:KEY}}", "${properties:secret:KEY}", mark]) {
    const answer = await app.post("/api/made", encodeURIComponent(body));
    assert.ok(!(await answer.text()).includes("kept-from"), body);
    assert.ok(!(await (await app.post("/api/made", body)).text()).includes("kept-from"), body);
  }
});

test("a secret that is not there, or that cannot be one, refuses the flow and says which", async (t) => {
  const app = await startTestApp(t, { secrets: { "f/EMPTY": "\n", "other/KEY": "not-ours" } });
  const refused = async (yaml: string): Promise<string> => {
    const answer = await app.put("f", yaml);
    assert.deepEqual([answer.status, answer.headers.get("x-error-code")], [422, "flow_failed"]);
    return ((await answer.json()) as { error: string }).error;
  };
  const missing = /secret 'KEY' is not there: put its value into SECRETS_DIR\/f\/KEY or SECRETS_DIR\/_shared\/KEY/;
  assert.match(await refused(telling), missing);
  assert.match(await refused(telling.replace("KEY", "EMPTY")), /secret 'EMPTY' cannot be read: it is empty/);
  await writeSecret(app.secretsDirectory, "f/URL", "not-a-host of anything");
  const address = await refused(webhook("r", "to: 'https:{{secret:URL}}'"));
  assert.match(address, /'\*\*\*' is no address to call/);
  await writeSecret(app.secretsDirectory, "f/KEY", "now-it-is");
  assert.equal((await app.put("f", telling)).status, 201);
  assert.equal(await answerOf(app), "now-it-is");
});

test("a new value holds for each thread that begins: after a reload, after idling, after a kill, after a restart", async (t) => {
  const secrets = { "f/KEY": "first-value" };
  const app = await startTestApp(t, { secrets, limits: { idleMs: 100, cancelGraceMs: 2000 } });
  const kill = webhook("bad", `script: { js: "for (;;) {}" }`);
  assert.equal((await app.put("f", telling)).status, 201);
  assert.equal(await answerOf(app), "first-value");
  const becomes = async (value: string): Promise<void> => {
    await eventually(async () => (await answerOf(app)) === value, `the flow answers ${value}`, patience);
  };
  await writeSecret(app.secretsDirectory, "f/KEY", "second-value");
  await eventually(
    async () => /^bulkhead_flow_threads\{[^}]*\} 0$/m.test(await (await app.api("/metrics")).text()),
    "the flow's thread is released",
    patience,
  );
  await becomes("second-value");
  await writeSecret(app.secretsDirectory, "f/KEY", "third-value");
  assert.equal((await app.api("/flows/f/reload", { method: "POST" })).status, 200);
  await becomes("third-value");
  assert.equal(
    (await app.put("f", telling + kill, { limits: { webhookWallMs: 3000, idleMs: 60_000, scriptMs: 30_000 } })).status,
    200,
  );
  await writeSecret(app.secretsDirectory, "f/KEY", "fourth-value");
  await app.post("/api/bad");
  await becomes("fourth-value");
  await app.close();
  await writeSecret(app.secretsDirectory, "f/KEY", "fifth-value");
  const again = await startTestApp(t, { directory: app.directory });
  // Its first thread may take longer to boot than a run of it may take.
  await eventually(async () => (await answerOf(again)) === "fifth-value", "the flow answers fifth-value", patience);
  await rm(join(app.secretsDirectory, "f/KEY"));
  assert.equal((await again.api("/flows/f/reload", { method: "POST" })).status, 422);
});

const nasty = [
  "plain-token-of-a-service-4711",
  'quote"s and <tags> & "more"',
  "per%cent%2Fs/and?query=a&b=c d+e",
  "new\nline\tand\\back\\nslash",
  "ünï-çödé-😀-漢字",
  "^.*(regex|[a-z]+)$|${body}",
  "password=inner token=x",
];

test("no log line, trace event, run record, answer of the API or file shows a value in any form", async (t) => {
  const names = nasty.map((_, i) => `S${i}`);
  const secrets = Object.fromEntries(nasty.map((value, i) => [`f/S${i}`, value]));
  const app = await startTestApp(t, { secrets });
  const nested =
    "JSON.stringify({ a: [{ b: exchange.variables.v }], c: encodeURIComponent(exchange.variables.v), d: JSON.stringify({ p: exchange.variables.v }) })";
  const flow = names
    .map((name) =>
      webhook(
        name,
        `setHeader: { name: planted, constant: 'x{{secret:${name}}}y' }`,
        `setVariable: { name: v, constant: '{{secret:${name}}}' }`,
        `setBody: { js: "${nested}" }`,
        `log: 'plain {{secret:${name}}}, header \${header.planted}, body \${body}'`,
        `setBody: { simple: '<a b="{{secret:${name}}}">\${body} \${base64Encode(\${body})}</a>' }`,
        "to: 'log:audit?showAll=true'",
        "wireTap: 'log:tapped?showHeaders=true'",
        `wireTap: 'http://127.0.0.1:1/{{secret:${name}}}?q={{secret:${name}}}'`,
        `doTry: { steps: [{ to: 'http://127.0.0.1:1/{{secret:${name}}}?q={{secret:${name}}}' }], doCatch: [{ exception: [java.lang.Exception], steps: [{ log: 'caught \${exception.message}' }] }] }`,
        `doTry: { steps: [{ toD: 'nowhere:{{secret:${name}}}?x={{secret:${name}}}' }], doCatch: [{ exception: [java.lang.Exception], steps: [{ log: 'caught \${exception.message}' }] }] }`,
        `throwException: { exceptionType: java.lang.IllegalStateException, message: 'no: \${body} {{secret:${name}}}' }`,
      ),
    )
    .join("");
  const put = await app.put("f", flow);
  assert.equal(put.status, 201, await put.text());
  const traces = await watch(t, app, "/trace/stream?body=full");
  const logs = await watch(t, app, "/logs/stream");
  const failures: string[] = [];
  const runs: string[] = [];
  for (const name of names) {
    const answer = await app.post(`/api/${name}`, "in");
    assert.equal(answer.status, 500);
    failures.push(await answer.text());
    runs.push(await (await app.api(`/runs/${answer.headers.get("x-run-id")}`)).text());
  }
  for (const name of names) {
    await upTo<TraceEvent>(traces, "trace", ({ type, routeId }) => type === "run.failed" && routeId === name);
  }
  let tapped = 0;
  await upTo<NumberedLogEvent>(logs, "log", ({ logger }) => logger === "tapped" && ++tapped === names.length);
  const tappedRuns = await eventually(
    async () => {
      const found = (await (await app.api("/runs?status=failed&limit=500")).json()) as { trigger: { kind: string } }[];
      return found.filter(({ trigger }) => trigger.kind === "wireTap").length === names.length
        ? JSON.stringify(found)
        : undefined;
    },
    "the taps have failed",
    patience,
  );
  const shown: Record<string, string> = {
    tappedRuns,
    failures: failures.join("\n"),
    runs: runs.join("\n"),
    traces: traces.text,
    logs: logs.text,
    output: JSON.stringify(app.logs),
    flow: await (await app.api("/flows/f")).text(),
    revisions: await (await app.api("/flows/f/revisions")).text(),
    health: await (await app.api("/health")).text(),
    files: await textsUnder(join(app.directory, "data")),
    routes: await textsUnder(app.routesDirectory),
  };
  assert.ok(shown["flow"]?.includes("{{secret:S0}}"));
  for (const where of ["runs", "traces", "logs", "output"]) assert.match(shown[where] ?? "", /\*\*\*/, where);
  for (const [where, text] of Object.entries(shown)) {
    for (const value of nasty) {
      for (const form of formsOf(value)) {
        assert.ok(
          !text.includes(form),
          `${where} has ${JSON.stringify(form)} of ${JSON.stringify(value)}: ${around(text, form)}`,
        );
      }
    }
  }
});

test("an error that ends the thread is told without the value", async (t) => {
  const quoted = "value-in-a-dying-thread";
  const threadEntry = new URL("../support/dying-worker.ts", import.meta.url);
  const app = await startTestApp(t, { threadEntry, secrets: { "f/KEY": quoted } });
  await app.put("f", webhook("r", "delay: { constant: 5000 }", "setBody: { constant: '{{secret:KEY}}' }"));
  const answer = await app.post("/api/r");
  assert.equal(answer.status, 500);
  await eventually(
    () => app.logs.some(({ message }) => message.includes("it dies of ***")),
    "its end is told",
    patience,
  );
  assert.ok(!JSON.stringify(app.logs).includes(quoted));
  assert.ok(!(await answer.text()).includes(quoted));
});

test("a value that is too short to be found is told at the deployment, without it", async (t) => {
  const app = await startTestApp(t, { secrets: { "f/KEY": "abc" } });
  assert.equal((await app.put("f", telling)).status, 201);
  const warning = app.logs.find(({ level, message }) => level === "WARN" && message.includes("'KEY'"));
  assert.match(warning?.message ?? "", /fewer than 4 characters/);
});

function formsOf(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const base64 = [0, 1, 2].map((before) =>
    Buffer.from("x".repeat(before) + value)
      .toString("base64")
      .slice(before === 0 ? 0 : before + 1, -4),
  );
  return [value, json, JSON.stringify(json).slice(1, -1), encodeURIComponent(value), ...base64];
}

function around(text: string, form: string): string {
  const at = text.indexOf(form);
  return text.slice(Math.max(0, at - 200), at + 200);
}

async function textsUnder(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return (await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), "utf8")))).join("\n");
}
