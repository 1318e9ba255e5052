/** What axe finds on a page. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import type { Page } from "playwright-core";

const root = resolve(import.meta.dirname, "../../../..");
const axe = readFileSync(createRequire(resolve(root, "designer/package.json")).resolve("axe-core/axe.min.js"), "utf8");

/** Rules whose outcome depends on colours: all that can change between light and dark. */
export const colourRules = ["color-contrast", "link-in-text-block"] as const;

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly help: string;
  readonly places: readonly string[];
}

interface Look {
  /** All of them without it. */
  readonly rules?: readonly string[] | undefined;
  /** A selector of the part that is looked at; the whole page without it. */
  readonly part?: string | undefined;
}

/** Fails for anything serious or critical that axe finds on the page as it is now. */
export async function assertAccessible(page: Page, { rules, part }: Look = {}): Promise<void> {
  // The page's Content-Security-Policy allows no script of others: the debugger adds it.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const options = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  // Only what is wrong leaves the page: the whole result has every element that is right.
  const place = part === undefined ? "document" : JSON.stringify(part);
  const found = await page.evaluate<
    readonly Violation[]
  >(`axe.run(${place}, ${JSON.stringify(options)}).then((result) =>
    result.violations.map(({ id, impact, help, nodes }) => ({
      id, impact, help, places: nodes.map(({ html }) => html.slice(0, 160)),
    })))`);
  const serious = found.filter(({ impact }) => impact === "serious" || impact === "critical");
  assert.deepEqual(
    serious.map(({ id, help, places }) => `${id}: ${help}: ${places.join(" | ")}`),
    [],
  );
}
