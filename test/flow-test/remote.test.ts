/** `bulkhead test` against an existing runtime. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { FlowTestFiles, flowTest } from "../support/flow-test-process.ts";
import { startTestApp, token } from "../support/start-app.ts";

const flow = (word: string): string => `
- route:
    id: greet
    from:
      uri: webhook
      steps:
        - setBody: { id: words, constant: ${word} }
`;
const tests = `
flow: greet
tests:
  - name: says what its mock says
    mocks: { words: { respond: { body: mocked } } }
    post: { path: /api/greet }
    expect: { body: mocked }
`;

test("flows are tested as they are deployed there, nothing is deployed, and differences are reported", async (t) => {
  const app = await startTestApp(t, { files: { "greet.yaml": flow("real") } });
  const url = { BULKHEAD_URL: `${app.url}/`, BULKHEAD_TOKEN: token };
  const files = await FlowTestFiles.write(t, {
    "greet.yaml": flow("other"),
    "tests/greet.yaml": tests,
    "tests/more/gone.yaml": "flow: gone\ntests: [{ name: is not there, post: { path: /api/gone } }]\n",
  });
  const closed = createServer((_request, response) => response.writeHead(503).end('{"error": "no token is set"}'));
  await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
  t.after(() => closed.close());
  const [both, refused, nobody, tokenless, unready] = await Promise.all([
    flowTest([files.path("tests")], url),
    flowTest([files.path("tests")], { ...url, BULKHEAD_TOKEN: "another" }),
    flowTest([files.path("tests")], { ...url, BULKHEAD_URL: "http://127.0.0.1:1" }),
    flowTest([files.path("tests")], { BULKHEAD_URL: url.BULKHEAD_URL }),
    flowTest([files.path("tests")], {
      ...url,
      BULKHEAD_URL: `http://127.0.0.1:${(closed.address() as AddressInfo).port}`,
    }),
  ]);
  assert.equal(both.code, 1, both.stderr);
  assert.match(both.stderr, /BULKHEAD_URL is set: flows are tested as they are deployed at http:\S+, where/);
  assert.match(
    both.stdout,
    /note: the flow 'greet' at http:\S+ differs from \S+greet\.yaml: that one is tested\n {2}✓ says/,
  );
  assert.match(both.stdout, /✗ is not there[\s\S]*there is no flow 'gone' at http:\S+: deploy it first/);
  assert.deepEqual([refused.code, nobody.code, tokenless.code, unready.code], [2, 2, 2, 2]);
  assert.match(refused.stderr, /BULKHEAD_TOKEN/);
  assert.match(unready.stderr, /http:\S+: no token is set/);
  assert.match(nobody.stderr, /http:\/\/127\.0\.0\.1:1 does not answer/);
  assert.match(tokenless.stderr, /BULKHEAD_TOKEN: give the deploy token/);
  assert.equal(await (await app.post("/api/greet")).text(), "real", "nobody else is mocked");
});

test("the fixture of a recorded run is a valid test, also of a run that failed", async (t) => {
  const calls = `
- route:
    id: greet
    from:
      uri: webhook
      steps:
        - toD: { id: other, uri: "direct:\${body}" }
        - setBody: { id: words, simple: "got \${body}" }
- route: { id: good, from: { uri: "direct:good", steps: [{ setBody: { constant: fine } }] } }
- route:
    id: bad
    from: { uri: "direct:bad", steps: [{ throwException: { exceptionType: java.io.IOException, message: broken } }] }
`;
  const app = await startTestApp(t);
  const deployed = await app.put("greet", calls, { limits: { record: "all" } });
  assert.equal(deployed.status, 201, await deployed.text());
  const fixture = async (body: string): Promise<string> => {
    const runId = (await app.post("/api/greet", body)).headers.get("x-run-id");
    const answer = await app.api(`/runs/${runId}/fixture`);
    assert.equal(answer.status, 200);
    return answer.text();
  };
  const files = await FlowTestFiles.write(t, {
    "tests/good.json": await fixture("good"),
    "tests/bad.json": await fixture("bad"),
    "tests/wrong.json": (await fixture("good")).replaceAll("got fine", "got more"),
    "greet.yaml": calls,
  });
  const { code, stdout } = await flowTest([files.path("tests")], { BULKHEAD_URL: app.url, BULKHEAD_TOKEN: token });
  assert.equal(code, 1);
  assert.match(
    stdout,
    /tests\/bad\.json\n {2}✓ [\s\S]*tests\/good\.json\n {2}✓ [\s\S]*tests\/wrong\.json\n {2}✗ .*\n.*got more/,
  );
});

test("test files beside the flows are not loaded as flows", async (t) => {
  const app = await startTestApp(t, { files: { "greet.yaml": flow("real") } });
  await mkdir(join(app.routesDirectory, "tests"));
  await writeFile(join(app.routesDirectory, "tests/greet.yaml"), tests);
  await app.close();
  const again = await startTestApp(t, { directory: app.directory });
  const flows = (await (await again.api("/flows")).json()) as { id: string }[];
  assert.deepEqual(
    flows.map(({ id }) => id),
    ["greet"],
  );
  assert.deepEqual(
    again.logs.filter(({ level }) => level === "WARN" || level === "ERROR"),
    [],
  );
});
