/** `call`, `trigger`, `logs` and `trace` against a runtime. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { bulkhead, startBulkhead } from "../support/command-line.ts";
import { webhook } from "../support/flows.ts";
import { folderOf } from "../support/folders.ts";
import { startTestApp, token } from "../support/start-app.ts";

const flow = `${webhook("bytes", 'setBody: { constant: "//4ACg==" }', "unmarshal: { base64: {} }")}${webhook("greet", "log: 'greeting ${body}'", "setBody: { simple: '${header.greeting} ${body}' }")}
- route: { id: price, from: { uri: direct:price, steps: [{ setBody: { simple: 'price of \${body}' } }] } }
- route: { id: typed, from: { uri: webhook, steps: [{ setBody: { simple: "\${header.Content-Type ?: 'none'}" } }] } }
- route: { id: nightly, from: { uri: 'timer:nightly?period=1h&delay=1h', steps: [{ setBody: { constant: done } }] } }
- route: { id: packed, from: { uri: 'timer:packed?period=1h&delay=1h', steps: [{ setBody: { constant: ZG9uZQ== } }, { unmarshal: { base64: {} } }] } }
- route: { id: failing, from: { uri: direct:failing, steps: [{ throwException: { exceptionType: java.lang.IllegalStateException, message: no } }] } }
`;

async function bulkheadBytes(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Buffer> {
  const { stdout } = await promisify(execFile)(process.execPath, ["bin/bulkhead.js", ...args], {
    env,
    encoding: "buffer",
  });
  return stdout;
}

test("flows are called and triggered, and their log and trace are followed", async (t) => {
  const app = await startTestApp(t);
  const env = { BULKHEAD_URL: app.url, BULKHEAD_TOKEN: token };
  const put = await app.put("greet", flow);
  assert.equal(put.status, 201, await put.text());
  const run = (...args: readonly string[]) => bulkhead(args, { env });

  await t.test("a webhook by its route or its path, with a body from the line or a file, and headers", async () => {
    const file = join(folderOf(t, {}), "body");
    writeFileSync(file, "Grace");
    assert.deepEqual(await run("call", "greet", "-d", "Ada", "-H", "greeting: hello"), {
      code: 0,
      stdout: "hello Ada",
      stderr: "",
    });
    assert.equal((await run("call", "/api/greet", "--file", file, "-H", "greeting: hi")).stdout, "hi Grace");
    assert.equal((await run("call", "greet", "-d", `@${file}`, "-H", "greeting: hi")).stdout, "hi Grace");
    const missing = await run("call", "greet", "-d", "@nowhere");
    assert.deepEqual([missing.code, missing.stdout], [2, ""]);
    assert.match(missing.stderr, /^bulkhead: --body @nowhere cannot be read: ENOENT/);
    const open = { env: { BULKHEAD_URL: app.url } };
    assert.equal((await bulkhead(["call", "/api/greet", "-d", "x", "-H", "greeting: hi"], open)).stdout, "hi x");
    assert.match((await bulkhead(["call", "greet"], open)).stderr, /there is no token for/);
    const json = await run("call", "greet", "-d", "x", "--json");
    assert.equal((JSON.parse(json.stdout) as { status: number }).status, 200);
    const none = await run("call", "/api/nothing");
    assert.deepEqual([none.code, none.stderr], [1, "bulkhead: 404\n"]);
    assert.match(
      (await run("call", "gret")).stderr,
      /there is no route 'gret' with a webhook \(did you mean 'greet'\?\)/,
    );
    assert.equal((await run("call", "greet", "-H", "nonsense")).code, 2);
    const twice = await run("call", "greet", "-d", "Ada", "-H", "greeting: hello", "-H", "Greeting: dear");
    assert.equal(twice.stdout, "hello, dear Ada");
  });

  await t.test("a body that is a JSON object or list has its type, unless a header says another", async () => {
    const typeOf = async (...args: readonly string[]): Promise<string> => (await run("call", "typed", ...args)).stdout;
    assert.equal(await typeOf("-d", '{"id": 7}'), "application/json");
    assert.equal(await typeOf("-d", " [1]"), "application/json");
    assert.equal(await typeOf("-d", '{"id": 7}', "-H", "content-type: text/plain"), "text/plain");
    for (const body of ["7", "{id: 7}", "Ada"]) assert.equal(await typeOf("-d", body), "none", body);
  });

  await t.test(
    "a body that is no text is piped byte for byte, and is base64 in JSON and a hint on a terminal",
    async () => {
      const bytes = await bulkheadBytes(["call", "bytes"], env);
      assert.deepEqual([...bytes], [0xff, 0xfe, 0x00, 0x0a]);
      const json = JSON.parse((await run("call", "bytes", "--json")).stdout) as { body?: string; bodyBase64?: string };
      assert.deepEqual([json.body, json.bodyBase64], [undefined, "//4ACg=="]);
      const shown = await bulkhead(["call", "bytes"], { env, width: 80 });
      assert.deepEqual([shown.code, shown.stdout], [0, ""]);
      assert.match(shown.stderr, /the body, 4 B, is no text: redirect it into a file/);
    },
  );

  await t.test("a direct: endpoint, whose session is closed again, and a timer's route", async () => {
    assert.equal((await run("call", "direct:price", "-d", "7")).stdout, "price of 7");
    const failing = await run("call", "direct:failing");
    assert.deepEqual([failing.code, failing.stdout], [1, ""]);
    assert.match(failing.stderr, /^bulkhead: failed: no; bulkhead runs show \S+ says more\n$/);
    assert.equal((await run("trigger", "greet", "nightly")).stdout, "done");
    assert.equal((await run("trigger", "greet", "packed")).stdout, "done");
    const refused = await run("trigger", "greet", "greet");
    assert.equal(refused.code, 1);
  });

  await t.test("logs and trace print a line for each event until they are stopped", async () => {
    const logs = startBulkhead(["logs", "-f", "--flow", "greet"], env);
    const trace = startBulkhead(["trace", "-f", "--flow", "greet", "--type", "step.*", "--body", "preview"], env);
    t.after(() => [logs, trace].map((one) => one.kill("SIGKILL")));
    await Promise.all([logs.said(/^Following/), trace.said(/^Following/)]);
    await app.post("/api/greet", "Ada", { greeting: "hello" });
    assert.match(await logs.said(/greeting Ada/), /^\S+ INFO {2}greet\/greet +greeting Ada/m);
    assert.match(
      await trace.said(/out hello Ada/),
      /^\S+ step\.completed +greet\/greet +\S+ setBody\S* \(setBody\) +\d+ ms$/m,
    );
    const unknown = startBulkhead(["logs", "-f", "--flow", "gret"], env);
    t.after(() => unknown.kill("SIGKILL"));
    assert.match(
      await unknown.said(/^Following/m),
      /there is no flow 'gret' \(did you mean 'greet'\?\): nothing is shown before it is deployed/,
    );
    for (const one of [logs, trace, unknown]) one.kill("SIGINT");
    assert.deepEqual(
      (await Promise.all([logs.ended, trace.ended, unknown.ended])).map(({ code }) => code),
      [0, 0, 0],
    );
    assert.equal((await run("logs")).code, 2);
  });
});
