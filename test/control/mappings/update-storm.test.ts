/** A small number of updates under load; `npm run storm -- mappings` runs more of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { updateUnderLoad } from "../../storms/support/mapping-updates.ts";
import { startTestApp } from "../../support/start-app.ts";

test("no run sees two versions during updates, and no answer comes from a version before the acknowledged one", async (t) => {
  const { url, api } = await startTestApp(t);
  const figures = await updateUnderLoad({ port: Number(new URL(url).port), api }, 30);
  const { broken, unexpected, closed, examples, answered } = figures;
  assert.deepEqual({ broken, unexpected, closed, examples }, { broken: 0, unexpected: 0, closed: 0, examples: [] });
  assert.ok(answered >= 120, `${answered} answers`);
});
