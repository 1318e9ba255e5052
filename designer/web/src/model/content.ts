/** Items that are to be inserted: from plain data, or from YAML text with its comments. */
import { isMap, isSeq, visit } from "yaml";
import { parse } from "./document.ts";
import { dumpItem } from "./dump.ts";
import type { Content } from "./items.ts";
import { plain } from "./place.ts";
import { EditRefused } from "./refused.ts";
import type { FlowText } from "./types.ts";

export function contentOf(values: readonly unknown[]): Content {
  const lines = values.flatMap((value) => {
    const { first, rest } = dumpItem(value);
    return [`-${first}`, ...rest];
  });
  return { lines, values };
}

/** Reads steps: an object, YAML text of a step (`log: hello`), or of a list of steps. */
export function readContent(step: object | string): Content {
  if (typeof step !== "string") return contentOf(Array.isArray(step) ? step : [step]);
  const flow = parse(step.replaceAll("\r\n", "\n").replace(/^\ufeff/, ""));
  const document = flow.documents[0];
  if (document === undefined || flow.errors.length > 0 || flow.documents.length > 1) throw new EditRefused("clipboard");
  const root = document.contents;
  const value = root === null ? null : plain(root, document);
  const values = Array.isArray(value) ? value : [value];
  if (values.length === 0 || !values.every((one) => typeof one === "object" && one !== null)) {
    throw new EditRefused("clipboard");
  }
  if (!(isSeq(root) || isMap(root)) || root.flow === true || hasAnchors(flow)) return contentOf(values);
  const lines = trimmed(flow.text);
  if (isSeq(root)) return { lines: dedented(lines), values };
  const body = dedented(lines);
  return { lines: body.map((line, index) => (index === 0 ? `- ${line}` : line === "" ? "" : `  ${line}`)), values };
}

/** Whether parts are written once for several places: a copy would refer to parts that it does not have. */
export function hasAnchors({ documents }: FlowText): boolean {
  let found = false;
  for (const document of documents) {
    visit(document, {
      Node(_, node) {
        if ("anchor" in node && node.anchor !== undefined) found = true;
        return found ? visit.BREAK : undefined;
      },
      Alias() {
        found = true;
        return visit.BREAK;
      },
    });
  }
  return found;
}

/** Lines without empty ones around them, and without the marks of a document. */
function trimmed(text: string): string[] {
  const lines = text.split("\n");
  while (lines.length > 0 && (lines[0]?.trim() === "" || lines[0] === "---")) lines.shift();
  while (lines.length > 0 && (lines.at(-1)?.trim() === "" || lines.at(-1) === "...")) lines.pop();
  return lines;
}

function dedented(lines: readonly string[]): string[] {
  const indent = Math.min(...lines.filter((line) => line.trim() !== "").map((line) => line.search(/[^ ]/)));
  return lines.map((line) => line.slice(Math.min(indent, line.search(/[^ ]|$/))));
}
