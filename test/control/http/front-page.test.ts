/** The page at `/` of the runtime. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp } from "../../support/start-app.ts";

test("a GET of / that no flow claims answers a page without scripts that leads on", async (t) => {
  const { url, api } = await startTestApp(t);
  const answer = await fetch(`${url}/?from=somewhere`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "text/html; charset=utf-8");
  assert.match(answer.headers.get("content-security-policy") ?? "", /default-src 'none'/);
  const page = await answer.text();
  for (const text of ["bulkhead designer", "/_api/openapi.json", "/_api/health", "docs/api.md"])
    assert.ok(page.includes(text), text);
  assert.doesNotMatch(page, /<script|<style|\son\w+=/i);
  assert.equal((await fetch(`${url}/_api/health`)).status, 200);
  assert.equal((await api("/openapi.json")).status, 200);
});

test("other methods and paths stay 404, and a flow that claims / has it", async (t) => {
  const { url, put } = await startTestApp(t);
  for (const [method, path] of [
    ["POST", "/"],
    ["HEAD", "/"],
    ["GET", "/index.html"],
  ] as const)
    assert.equal((await fetch(`${url}${path}`, { method })).status, 404, `${method} ${path}`);
  const root =
    "- route:\n    id: root\n    from:\n      uri: platform-http:/\n      steps:\n        - setBody: { constant: mine }\n";
  assert.equal((await put("root", root)).status, 201);
  assert.equal(await (await fetch(`${url}/`)).text(), "mine");
});
