/** The examples of pages of docs/connectors, for tests that run them as they stand there. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

/** Returns the one block of a page in a language. What is generated, such as the tables of options, is left out. */
export function blockOf(page: string, language: "yaml" | "json"): string {
  const text = readFileSync(new URL(`../../docs/connectors/${page}.md`, import.meta.url), "utf8");
  const written = text.replaceAll(/<!-- (?:kind|options of) .*?<!-- end of [^\n]*/gs, "");
  const blocks = [...written.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))];
  assert.equal(blocks.length, 1, `the page ${page} has one example in ${language}`);
  return blocks[0]?.[1] ?? "";
}

/** The document of the page's connection, with what differs for a server of the test. */
export function documentOf(page: string, more: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...(JSON.parse(blockOf(page, "json")) as Record<string, unknown>), ...more };
}
