/** `list`, `get` and `delete` against a runtime. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bulkhead, bulkheadProcess } from "../support/command-line.ts";
import { startTestApp, token } from "../support/start-app.ts";

const greet = "- route: { id: greet, from: { uri: direct:greet, steps: [{ log: hello }] } }\n";
const codes = { name: "Codes", columns: ["a", "b"], rows: [["1", "2"]] };

test("flows and mappings are listed, shown and removed", async (t) => {
  const app = await startTestApp(t);
  const env = { BULKHEAD_URL: app.url, BULKHEAD_TOKEN: token };
  await app.put("greet", greet, { description: "greets" });
  const put = await app.api("/value-mappings/codes", {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(codes),
  });
  assert.equal(put.status, 201, await put.text());

  await t.test("a table, which is cut to the terminal, in a process without colours and in JSON", async () => {
    const [piped, narrow, json] = await Promise.all([
      bulkheadProcess(["list", "flows"], env),
      bulkhead(["list", "flows"], { env, width: 40 }),
      bulkhead(["list", "flows", "--json"], { env }),
    ]);
    assert.deepEqual([piped.code, piped.stderr], [0, ""]);
    assert.match(piped.stdout, /^ID +STATE +REVISION +ROUTES +MODIFIED +ABOUT\ngreet +Started +1 +1 .* greets\n$/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: there must be none
    assert.doesNotMatch(piped.stdout, /\u001b/);
    for (const line of narrow.stdout.trimEnd().split("\n")) assert.ok(line.length <= 60, line);
    assert.equal((JSON.parse(json.stdout) as { id: string }[])[0]?.id, "greet");
  });

  await t.test("get prints YAML, the source of a flow, or JSON", async () => {
    const mapping = await bulkhead(["get", "value-mappings", "codes"], { env });
    assert.match(mapping.stdout, /^name: Codes$/m);
    assert.equal((await bulkhead(["get", "flows", "greet", "--source"], { env })).stdout, greet);
    const json = await bulkhead(["get", "flows", "greet", "--json"], { env });
    assert.equal((JSON.parse(json.stdout) as { yaml: string }).yaml, greet);
    const none = await bulkhead(["get", "policies", "greet", "--source"], { env });
    assert.equal(none.code, 2);
  });

  await t.test("what is not there is refused with the server's words, exit code 1", async () => {
    const { code, stderr } = await bulkhead(["delete", "flows", "orders"], { env });
    assert.equal(code, 1);
    assert.match(stderr, /^bulkhead: .*orders/);
    const wrong = await bulkhead(["list", "flows"], { env: { ...env, BULKHEAD_TOKEN: "another-token" } });
    assert.deepEqual([wrong.code, wrong.stderr.startsWith("bulkhead: the runtime refuses the token: ")], [1, true]);
  });

  await t.test("delete removes it", async () => {
    assert.deepEqual(await bulkhead(["delete", "flows", "greet"], { env }), {
      code: 0,
      stdout: "removed: flow greet\n",
      stderr: "",
    });
    const { stdout, stderr } = await bulkhead(["list", "flows"], { env });
    assert.deepEqual([stdout, stderr], ["", "There are no flows.\n"]);
  });
});

test("test sessions are listed with their flow and their state", async (t) => {
  const app = await startTestApp(t);
  const env = { BULKHEAD_URL: app.url, BULKHEAD_TOKEN: token };
  assert.equal((await bulkhead(["list", "test-sessions"], { env })).stderr, "There are no test sessions.\n");
  await app.put("greet", greet);
  const body = JSON.stringify({ flowId: "greet", name: "try", scope: "session", mocks: {} });
  const headers = { "Content-Type": "application/json" };
  const opened = await app.api("/test/session", { method: "POST", headers, body });
  const { sessionId } = (await opened.json()) as { sessionId: string };
  const shown = async (): Promise<string> => (await bulkhead(["list", "test-sessions"], { env })).stdout;
  assert.match(await shown(), new RegExp(`\\n${sessionId} +try +greet +session +open `));
  await app.api(`/test/session/${sessionId}`, { method: "DELETE" });
  assert.match(await shown(), new RegExp(`\\n${sessionId} +try +greet +session +passed `));
});
