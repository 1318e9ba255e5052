/** The built page as the server sends it. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { startTestDesigner } from "./support/start-designer.ts";

test("the page is looked at anew each time, its parts are kept, and compressed where they are so on the disk", async (t) => {
  const page = await mkdtemp(join(tmpdir(), "bulkhead-page-"));
  t.after(() => rm(page, { recursive: true }));
  await mkdir(join(page, "assets"));
  await writeFile(join(page, "index.html"), "<!doctype html><title>Page</title>");
  await writeFile(join(page, "assets", "a-1234.js"), "console.log(1)");
  await writeFile(join(page, "assets", "a-1234.js.gz"), gzipSync("console.log(1)"));
  const { url, call } = await startTestDesigner(t, { page });
  // A link from another site may lead here.
  const index = await fetch(`${url}/`, { headers: { "Sec-Fetch-Site": "cross-site", "Accept-Encoding": "br, gzip" } });
  assert.equal(await index.text(), "<!doctype html><title>Page</title>");
  assert.equal(index.headers.get("cache-control"), "no-cache");
  assert.match(index.headers.get("content-security-policy") ?? "", /default-src 'self'/);
  const script = await fetch(`${url}/assets/a-1234.js`, { headers: { "Accept-Encoding": "gzip" } });
  assert.equal(await script.text(), "console.log(1)");
  assert.equal(script.headers.get("content-encoding"), "gzip");
  assert.match(script.headers.get("cache-control") ?? "", /immutable/);
  for (const path of ["/assets/none.js", "/..%2fpackage.json", "/assets/"])
    assert.ok((await call("GET", path)).status >= 400, path);
  assert.ok((await call("POST", "/")).status >= 400);
  for (const path of ["/", "/assets/a-1234.js"]) {
    const head = await fetch(url + path, { method: "HEAD" });
    assert.deepEqual([head.status, await head.text()], [200, ""], path);
  }
});
