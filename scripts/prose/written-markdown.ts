/** Markdown by hand: what `npm run docs` writes is blanked out, since its sentences are read where they come from,
 * and so are names of tests. */
import type { TxtDocumentNode } from "@textlint/ast-node-types";
import markdown from "@textlint/textlint-plugin-markdown";

const generatedPage = /\bby `npm run [^`]+`: do not edit\./;
const generatedBlock = /<!-- [^>]*: written by .*?<!-- end of [^>]*-->/gs;
/** docs/maintaining/specification.md names tests. */
const testName = /(?<=`test\/[^`]+` › )[^|<\n]+/g;
const processor = new markdown.default.Processor().processor(".md");

export function parseMarkdown(text: string): TxtDocumentNode {
  const written = generatedPage.test(text.slice(0, 2000))
    ? blank(text)
    : text.replace(generatedBlock, blank).replace(testName, blank);
  return processor.preProcess(written) as TxtDocumentNode;
}

/** The same lines, without anything in them. */
function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}
