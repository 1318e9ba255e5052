/** Shared by the readers of a policy document's parts: warnings with their places, fields, lists and header names. */
import * as z from "zod";
import { type FieldsOptions, fields, isFields, text } from "../../../shared/document-fields.ts";
import { type Path, pointerOf } from "../../../shared/document-place.ts";
import { formatNote, readDocument } from "../../../shared/read-document.ts";
import type { PolicyWarning } from "../policy.ts";

/** The most warnings that are kept of a document. */
const maxWarnings = 100;
/** The most entries of a list, or members of an object, in a policy. */
const maxEntries = 1000;
/** The most characters of a text in a policy. */
const maxText = 2048;

export class Reading {
  readonly #warnings: PolicyWarning[] = [];
  #more = 0;

  get warnings(): readonly PolicyWarning[] {
    if (this.#more === 0) return this.#warnings;
    return [...this.#warnings, { code: "more_warnings", message: `${this.#more} more warnings are not shown` }];
  }

  warn(code: string, path: Path, message: string): undefined {
    if (this.#warnings.length >= maxWarnings) this.#more += 1;
    else this.#warnings.push({ code, message: formatNote({ path, message }, "the policy"), pointer: pointerOf(path) });
  }

  /** Reads a part; undefined, with warnings that state the effect, if anything of it is not understood. */
  read<T>(schema: z.ZodType<T>, value: unknown, path: Path, effect: string): T | undefined {
    const { value: read, warnings, problems } = readDocument(schema, value, path);
    for (const note of [...warnings, ...problems]) this.warn(note.code, note.path, `${note.message}: ${effect}`);
    return warnings.length === 0 ? read : undefined;
  }
}

/** The schema of an object in a policy: at every level there may be fields without effect on who may call. */
export function policyFields<Shape extends z.core.$ZodShape>(shape: Shape, options: FieldsOptions = {}) {
  return fields(shape, { ...options, remarks: ["description", "comment", "labels"] });
}

/** A field that is read elsewhere, or not at all. */
export const anything = z.unknown().optional();

export const policyText = text(maxText);

/** Reads a list of texts, or one text; undefined, and a warning, for anything else. */
export function texts(least = 1) {
  return z.preprocess(
    (value) => (typeof value === "string" ? [value] : value),
    z.custom<readonly string[]>((value) => {
      if (!Array.isArray(value) || value.length < least || value.length > maxEntries) return false;
      return value.every((one) => policyText.safeParse(one).success);
    }, `a list of ${least} to ${maxEntries} texts is expected`),
  );
}

export interface Entry {
  /** The member's name; "" for a list's item. */
  readonly name: string;
  readonly key: string | number;
  readonly value: unknown;
}

/** The members of an object, or the items of a list. */
export const entries = z.transform((value: unknown, { addIssue }): readonly Entry[] => {
  const all = Array.isArray(value)
    ? value.map((item: unknown, key) => ({ name: "", key, value: item }))
    : isFields(value)
      ? Object.entries(value).map(([name, item]) => ({ name, key: name, value: item }))
      : undefined;
  if (all !== undefined && all.length <= maxEntries) return all;
  addIssue(`an object or a list with at most ${maxEntries} entries is expected`);
  return z.NEVER;
});

/** The syntax of a token (RFC 9110 5.6.2). */
export const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;

/** Headers that mean something else to the server, to proxies, or to the other schemes. */
const taken: ReadonlySet<string> = new Set(
  (
    "accept authorization connection content-encoding content-length content-type cookie date expect forwarded host idempotency-key " +
    "keep-alive origin proxy-authorization te trailer transfer-encoding upgrade via webhook-id webhook-timestamp webhook-signature " +
    "x-forwarded-for x-forwarded-host x-forwarded-proto x-hub-signature-256 x-github-delivery stripe-signature"
  ).split(" "),
);

/** Reads the name of a header that a policy may take credentials from, in lower case. */
export const headerName = z.transform((value: unknown, { addIssue }): string => {
  const name = typeof value === "string" ? value.toLowerCase() : "";
  if (token.test(name) && !taken.has(name)) return name;
  addIssue("the name of a header is expected that has no other meaning, such as X-Shop-Key");
  return z.NEVER;
});
