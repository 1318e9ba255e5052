/** A value mapping's rows as CSV, to be edited elsewhere and sent again: `value-csv.ts` says how it is written. */
import { parseJson } from "../../shared/json.ts";
import { defaultLimits } from "../../shared/limits.ts";
import type { Scalar, ValueMappingModel } from "../../shared/mapping-models.ts";
import { isPlainObject } from "../engine/convert.ts";
import { readValueDocument } from "./value-document.ts";
import { Findings } from "./value-findings.ts";

/**
 * Columns, rows and qualifiers of the document; its name, rules and tests have no place in CSV, and null is no value. Throws for a
 * document that is not understood, with the reason.
 */
export function valueMappingCsv(document: string): string {
  const value = parseJson(new TextEncoder().encode(document));
  if (!isPlainObject(value)) throw new Error("a value mapping is a JSON object");
  const limits = { ...defaultLimits, mappingRows: Number.MAX_SAFE_INTEGER };
  const { model } = readValueDocument(value, limits, new Findings());
  const qualifiers = [...new Set(model.rows.flatMap(({ when }) => [...(when?.keys() ?? [])]))].sort();
  const header = [...model.columns, ...qualifiers.map((name) => `when.${name}`)];
  return [header.map(quoted).join(","), ...records(model, qualifiers), ""].join("\r\n");
}

function* records({ rows }: ValueMappingModel, qualifiers: readonly string[]): Generator<string> {
  for (const { cells, when } of rows) {
    const fields = [...cells.map(fieldOf), ...qualifiers.map((name) => textOf(when?.get(name)))];
    // A line without anything is no row.
    if (fields.some((field) => field !== "")) yield fields.join(",");
  }
}

function fieldOf(values: readonly Scalar[]): string {
  const texts = values.filter((value) => value !== null).map(String);
  if (texts.length === 0) return "";
  const last = texts.length - 1;
  return quoted(texts.map((text, at) => escaped(text, at < last)).join("|"));
}

function textOf(value: Scalar | undefined): string {
  return value === undefined || value === null ? "" : quoted(String(value));
}

/** Backslashes before a bar count twice. */
function escaped(text: string, barFollows: boolean): string {
  const inner = text.replace(/(\\*)\|/g, "$1$1\\|");
  return barFollows ? inner.replace(/\\+$/, "$&$&") : inner;
}

function quoted(text: string): string {
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
