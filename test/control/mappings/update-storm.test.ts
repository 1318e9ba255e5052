/** Updates under load, in small; `npm run storm -- mappings` does more of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { updateUnderLoad } from "../../storms/support/mapping-updates.ts";
import { startTestApp } from "../../support/start-app.ts";

test("while versions follow each other no run sees two, and no answer is of one before the acknowledged one", async (t) => {
  const { url, api } = await startTestApp(t);
  const figures = await updateUnderLoad({ port: Number(new URL(url).port), api }, 30);
  const { broken, unexpected, closed, examples, answered } = figures;
  assert.deepEqual({ broken, unexpected, closed, examples }, { broken: 0, unexpected: 0, closed: 0, examples: [] });
  assert.ok(answered >= 120, `${answered} answers`);
});
