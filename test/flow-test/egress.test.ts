/** Flows under test call only what is allowed. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { egressProblem, parseEgressAllow, urlProblem } from "../../src/shared/egress.ts";
import { FlowTestFiles } from "../support/flow-test-process.ts";

const closed = (allow: string) => ({ ...parseEgressAllow(allow), closed: true });
const problem = (allow: string, url: string): string | undefined => urlProblem(closed(allow), new URL(url));

test("public addresses and names are refused too, and a name that no rule can allow is not resolved", () => {
  assert.match(
    String(egressProblem(closed(""), "1.1.1.1", 443, "1.1.1.1")),
    /1\.1\.1\.1:443 is not called where flows/,
  );
  assert.match(
    String(problem("", "https://example.com/x")),
    /mock what calls it, or give --egress-allow example\.com:443/,
  );
  assert.match(String(problem("example.com:80", "https://example.com/x")), /example\.com:443/);
  for (const allow of ["example.com", "example.com:443", "*.com", "93.184.0.0/16"])
    assert.equal(problem(allow, "https://example.com/x"), undefined, allow);
  assert.equal(egressProblem(closed("93.184.0.0/16"), "example.com", 443, "93.184.1.1"), undefined);
  assert.match(String(egressProblem(closed("93.184.0.0/16"), "example.com", 443, "1.1.1.1")), /is not called/);
  assert.equal(
    urlProblem(parseEgressAllow(""), new URL("https://example.com/x")),
    undefined,
    "a runtime of its own kind",
  );
});

test("--egress-allow allows calls to what it names", async (t) => {
  const server = createServer((_request, response) => response.end("from outside"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const files = await FlowTestFiles.write(t, {
    "ask.yaml": `- route: { id: ask, from: { uri: webhook, steps: [{ to: "http://127.0.0.1:${port}/" }] } }\n`,
    "tests/ask.yaml": "flow: ask\ntests: [{ name: asks, post: { path: /api/ask }, expect: { body: from outside } }]\n",
  });
  const { code, stdout } = await files.here(["/tests", "--egress-allow", `127.0.0.1:${port}`]);
  assert.equal(code, 0, stdout);
});

test("connections beside the flows are installed for their tests", async (t) => {
  const files = await FlowTestFiles.write(t, {
    "ask.yaml": "- route: { id: ask, from: { uri: webhook, steps: [{ log: x }] } }\n",
    "documents/connections/shop.json": JSON.stringify({ kind: "oracle" }),
    "tests/ask.yaml": "flow: ask\ntests: [{ name: asks, post: { path: /api/ask }, expect: { status: 200 } }]\n",
  });
  const refused = await files.here(["/tests"]);
  assert.notEqual(refused.code, 0);
  assert.match(
    `${refused.stdout}${refused.stderr}`,
    /connection 'shop': \/kind: postgres, mysql, embedded, .* is expected/,
  );
  await files.write(
    "documents/connections/shop.json",
    JSON.stringify({ kind: "postgres", servers: ["127.0.0.1:1"], database: "shop", username: "shop", default: true }),
  );
  const { code, stdout } = await files.here(["/tests"]);
  assert.equal(code, 0, stdout);
});
