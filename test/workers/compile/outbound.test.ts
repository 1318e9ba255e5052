/** Which steps of a flow are known to call something outside of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { withModules } from "../../../src/workers/engine/late-module.ts";
import { compileYaml } from "../../support/run-route.ts";

async function outbound(steps: string): Promise<readonly string[]> {
  const yaml = `- route:
    id: main
    from:
      uri: direct:start
      steps:
${steps.trim().replaceAll(/^/gm, "        ")}
- route:
    id: other
    from: { uri: "direct:local", steps: [{ log: a }] }
- route:
    id: queue
    from: { uri: "seda:q", steps: [{ log: a }] }
`;
  const { manifest } = await withModules(() => compileYaml(yaml));
  return manifest.steps.filter((step) => step.outbound === true).map(({ id }) => id);
}

test("servers, files and other flows are outside", async () => {
  const found = await outbound(`
- to: { id: server, uri: "http://example.com" }
- to: { id: file, uri: "file:out" }
- to: { id: otherFlow, uri: "direct:elsewhere" }
- wireTap: { id: tap, uri: "direct:elsewhere" }
- wireTap: { id: serverTap, uri: "http://example.com/tap", dynamicUri: false }
- enrich: { id: ask, constant: "http://example.com" }`);
  assert.deepEqual(found, ["server", "file", "otherFlow", "tap", "serverTap", "ask"]);
});

test("routes and queues of the flow, logs, mocks and what a step computes are not", async () => {
  const found = await outbound(`
- to: direct:local
- to: seda:q
- to: log:x
- to: mock:m
- to: "language:simple:a"
- wireTap: direct:local
- enrich: { constant: "direct:local" }
- recipientList: { constant: "log:a,direct:local" }
- setBody: { constant: x }
- filter: { simple: "1 == 1", steps: [{ to: "log:y" }] }`);
  assert.deepEqual(found, []);
});

test("an endpoint that a message names may be outside, unless its scheme says otherwise", async () => {
  const found = await outbound(`
- toD: { id: any, uri: "\${header.to}" }
- toD: { id: host, uri: "http://\${header.host}" }
- toD: { id: route, uri: "direct:\${header.name}" }
- toD: { id: mock, uri: "mock:\${header.name}" }
- recipientList: { id: list, header: recipients }
- recipientList: { id: logs, header: recipients, allowedSchemes: "log,mock" }
- routingSlip: { id: slip, header: slip }`);
  assert.deepEqual(found, ["any", "host", "route", "list", "slip"]);
});
