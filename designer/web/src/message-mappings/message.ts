/** The message that a mapping is tried with. */
import { indented } from "../runs/messages.ts";
import type { JsonText } from "./model/json-text.ts";
import { sourceAt } from "./model/json-text.ts";

export interface TrialMessage {
  /** Where it comes from: `sample`, `test:0`, or what was typed or loaded. */
  readonly origin: string;
  /** The body: JSON, or XML where the source is XML. */
  readonly text: string;
  /** Headers, properties, variables and params as one JSON object; "" without any. */
  readonly around: string;
}

const aroundNames = ["headers", "properties", "variables", "params"] as const;

/** The messages that the document has: its sample, and the inputs of its tests. */
export function messagesOf(json: JsonText): readonly TrialMessage[] {
  const sample = sourceAt(json, ["source", "sample"]);
  const tests = listAt(json.value, "tests");
  return [
    ...(sample === undefined ? [] : [{ origin: "sample", text: bodyText(sample), around: "" }]),
    ...tests.flatMap((_, index) => {
      const input = sourceAt(json, ["tests", index, "input"]);
      return input === undefined
        ? []
        : [{ origin: `test:${index}`, text: bodyText(input), around: aroundOf(json, index) }];
    }),
  ];
}

/** A message whose text is kept as a JSON text is XML, or a text of the sender's. */
function bodyText(source: string): string {
  if (!source.startsWith('"')) return indented(source);
  const text = JSON.parse(source) as string;
  return /^\s*</.test(text) ? text : source;
}

function aroundOf(json: JsonText, index: number): string {
  const parts = aroundNames.flatMap((name) => {
    const source = sourceAt(json, ["tests", index, name]);
    return source === undefined ? [] : [`${JSON.stringify(name)}: ${source}`];
  });
  return parts.length === 0 ? "" : indented(`{${parts.join(", ")}}`);
}

/** The body as JSON: a text that is XML becomes a JSON text. undefined: it is neither. */
export function inputOf({ text }: Pick<TrialMessage, "text">, format: "json" | "xml"): string | undefined {
  if (format === "xml" && /^\s*</.test(text)) return JSON.stringify(text);
  return isJson(text) ? text : undefined;
}

/** The parts around the body as members of a JSON object, such as `"headers": {}`; undefined: it is no object of objects. */
export function aroundMembers({ around }: Pick<TrialMessage, "around">): string | undefined {
  if (around.trim() === "") return "";
  if (!isJson(around)) return undefined;
  const value: unknown = JSON.parse(around);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const isKnown = Object.keys(value).every((name) => aroundNames.some((one) => one === name));
  const inner = around.trim().slice(1, -1).trim();
  return isKnown ? inner : undefined;
}

export function testIndexOf({ origin }: Pick<TrialMessage, "origin">): number | undefined {
  const index = /^test:(\d+)$/.exec(origin)?.[1];
  return index === undefined ? undefined : Number(index);
}

export function listAt(document: unknown, name: string): readonly unknown[] {
  const value = (document as Readonly<Record<string, unknown>> | undefined)?.[name];
  return Array.isArray(value) ? value : [];
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
