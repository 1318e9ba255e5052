/** What axe finds on a page. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import type { Page } from "playwright-core";

const root = resolve(import.meta.dirname, "../../../..");
const axe = readFileSync(createRequire(resolve(root, "designer/package.json")).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly help: string;
  readonly places: readonly string[];
}

/** Fails for anything serious or critical that axe finds on the page as it is now. */
export async function assertAccessible(page: Page): Promise<void> {
  // The page's Content-Security-Policy allows no script of others: the debugger adds it.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  // Only what is wrong leaves the page: the whole result has every element that is right.
  const found = await page.evaluate<readonly Violation[]>(`axe.run({ resultTypes: ["violations"] }).then((result) =>
    result.violations.map(({ id, impact, help, nodes }) => ({
      id, impact, help, places: nodes.map(({ html }) => html.slice(0, 160)),
    })))`);
  const serious = found.filter(({ impact }) => impact === "serious" || impact === "critical");
  assert.deepEqual(
    serious.map(({ id, help, places }) => `${id}: ${help}: ${places.join(" | ")}`),
    [],
  );
}
