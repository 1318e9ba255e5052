/** Formats whose libraries are loaded late, in a flow's own thread with its few rights. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp } from "../../support/start-app.ts";

const yaml = `- route:
    id: formats
    from:
      uri: webhook
      steps:
        - unmarshal: { jacksonXml: {} }
        - marshal: { yaml: {} }
        - marshal: { gzipDeflater: {} }
        - unmarshal: { gzipDeflater: {} }
        - unmarshal: { yaml: {} }
        - marshal: { json: {} }`;

test("a webhook answers through XML, YAML, gzip and JSON", async (t) => {
  const app = await startTestApp(t);
  const put = await app.put("formats", yaml);
  assert.equal(put.status, 201, await put.text());
  const answer = await app.post("/api/formats", "<o id='7'><item>a</item><item>b</item></o>", {
    "Content-Type": "application/xml",
  });
  assert.equal(await answer.text(), '{"id":"7","item":["a","b"]}');
  assert.equal(answer.headers.get("Content-Type"), "application/json");
});
