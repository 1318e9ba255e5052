/** Reads the body of a deployment, which may have 64 MiB: the main thread gets the documents of mappings as bytes, and parses none of them. */
import { isFields, readOwn } from "../../shared/document-fields.ts";
import { AppError } from "../../shared/errors.ts";
import { parseJson } from "../../shared/json.ts";
import type { SplitRequest, SplitResult } from "../../shared/set-document.ts";

export function splitSet({ body, mappingBytes, restBytes }: SplitRequest): SplitResult {
  try {
    const whole = parseJson(body);
    if (!isFields(whole)) return refuse('the body must be a JSON object such as {"set": "shop", "flows": [...]}');
    const documents: Uint8Array[] = [];
    const mappings = eachOf(readOwn(whole, "mappings"), (mapping, index) => {
      if (!isFields(mapping)) return mapping;
      const { document, text, ...rest } = mapping;
      const bytes = new TextEncoder().encode(textOf(document, text, index));
      if (bytes.length > mappingBytes) {
        const message = `mappings/${index}: its document has ${bytes.length} bytes, more than ${mappingBytes}`;
        throw new AppError("body_too_large", message);
      }
      documents.push(bytes);
      return rest;
    });
    const rest = { ...whole, ...(mappings !== undefined && { mappings }) };
    const size = restSize(rest);
    if (size > restBytes) {
      const message = `beside YAML and mappings the set has ${size} bytes of JSON, more than ${restBytes}`;
      throw new AppError("body_too_large", message);
    }
    return { rest, documents };
  } catch (error) {
    if (error instanceof AppError) return refuse(error.message, error.code);
    throw error;
  }
}

/** The document as JSON. A `text` is kept as it is; the check of the mapping finds what is wrong in it. Throws bad_request. */
function textOf(document: unknown, text: unknown, index: number): string {
  if (document !== undefined && text !== undefined)
    throw new AppError("bad_request", `mappings/${index} has 'document' and 'text': send one of them`);
  if (typeof text === "string" && text.isWellFormed()) return text;
  if (text !== undefined)
    throw new AppError("bad_request", `mappings/${index}: 'text' must be the mapping's JSON as a text`);
  if (isFields(document)) return JSON.stringify(document);
  throw new AppError("bad_request", `mappings/${index}: 'document' must be the mapping's JSON object`);
}

function refuse(problem: string, code: AppError["code"] = "bad_request"): SplitResult {
  return { problem, code };
}

function eachOf(list: unknown, change: (item: unknown, index: number) => unknown): unknown {
  return Array.isArray(list) ? list.map(change) : list;
}

/** The characters of everything but the flows' YAML. */
function restSize(rest: Readonly<Record<string, unknown>>): number {
  const flows = eachOf(readOwn(rest, "flows"), (flow) => (isFields(flow) ? { ...flow, yaml: "" } : flow));
  return JSON.stringify({ ...rest, flows }).length;
}
