/** What the runtime finds in a document before it is installed, and lookups in it. */
import { orThrow } from "../../../../src/client/client.ts";
import { stringify } from "../../../../src/client/json.ts";
import { runtimeOf, type Schemas } from "../api/runtime.ts";
import { sentenceOf } from "../api/sentence.ts";
import type { Scalar } from "./cell-text.ts";

export interface Checked {
  readonly problems: readonly { readonly pointer: string; readonly message: string }[];
  /** Those that are not listed count, too. */
  readonly problemCount: number;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly tests: { readonly passed: number; readonly failed: number } | undefined;
}

export interface Lookup {
  readonly value: Scalar;
  readonly from?: string;
  readonly to?: string;
  readonly qualifiers?: Readonly<Record<string, Scalar>>;
  readonly onMissing?: "error" | "default" | "passthrough" | "null";
}

export type Found = Schemas["ValueLookupAnswer"];

/** `text`: the document as JSON. A runtime that cannot be asked is a problem, too. Never rejects. */
export async function checkDocument(target: string, id: string, text: string, signal: AbortSignal): Promise<Checked> {
  try {
    const { problems, problemCount, warnings, tests } = await tried(target, id, `{"document": ${text}}`, signal);
    return { problems, problemCount, warnings, tests };
  } catch (error) {
    const problems = [{ pointer: "", message: sentenceOf(error) }];
    return { problems, problemCount: 1, warnings: [], tests: undefined };
  }
}

/** Looks a value up in what is installed. Rejects with ApiError. */
export function lookUpInstalled(target: string, id: string, lookup: Lookup, signal: AbortSignal): Promise<Found> {
  return orThrow(
    runtimeOf(target).POST("/_api/value-mappings/{id}/lookup", { params: { path: { id } }, body: lookup, signal }),
  );
}

/** Looks a value up in a document that is not installed; undefined: its problems leave no table. Rejects with ApiError. */
export async function lookUpDraft(
  target: string,
  id: string,
  { text, lookup, signal }: { readonly text: string; readonly lookup: Lookup; readonly signal: AbortSignal },
): Promise<Found | undefined> {
  const body = `{"document": ${text}, ${stringify(lookup).slice(1)}`;
  return (await tried(target, id, body, signal)).lookup;
}

function tried(
  target: string,
  id: string,
  body: string,
  signal: AbortSignal,
): Promise<Schemas["ValueMappingTrialAnswer"]> {
  return orThrow(
    runtimeOf(target).POST("/_api/value-mappings/{id}/test", {
      params: { path: { id } },
      body: body as never,
      headers: { "Content-Type": "application/json" },
      signal,
    }),
  );
}
