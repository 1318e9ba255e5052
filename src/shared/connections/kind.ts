/** Defines a kind of named connections: the fields that its documents have, and its options, each with words for people. */

import { readServer } from "./servers.ts";

/** An option of a kind. Documents give it under `options`. */
export type OptionField = {
  /** What it does, in a sentence or two. */
  readonly words: string;
} /** `host:port`. */ & (
  | { readonly type: "server"; readonly default?: undefined }
  | { readonly type: "text"; readonly default?: string; readonly values?: readonly string[]; readonly most?: number }
  | { readonly type: "flag"; readonly default: boolean }
  | { readonly type: "whole"; readonly default?: number; readonly least: number; readonly most: number }
);

/** What `problems` of a kind gets of a document. */
export interface ReadDocument {
  readonly servers: readonly unknown[];
  readonly username?: string | undefined;
  readonly passwordRef?: string | undefined;
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly tls?: { readonly certRef?: string | undefined } | undefined;
  readonly default?: boolean | undefined;
}

/** Fields that only some kinds have. */
export const kindFields = ["database", "username", "passwordRef", "privateKeyRef", "passphraseRef", "tls"] as const;
export type KindField = (typeof kindFields)[number];

export interface ConnectionKind {
  readonly name: string;
  /** The name of the product. */
  readonly title: string;
  readonly docs: string;
  /** The port where a server has none; absent: the kind has no servers. */
  readonly port?: number;
  /** true: a document without servers is for all that flows may call. */
  readonly isOpen?: true;
  /** The port where a server has none and the connection is encrypted; absent: `port`. */
  readonly tlsPort?: number;
  readonly fields: readonly KindField[];
  /** Those of its fields that a document must have. */
  readonly required: readonly KindField[];
  readonly options: Readonly<Record<string, OptionField>>;
  /** Names under which other programs know what is not an option here, each with what to write. */
  readonly refused: Readonly<Record<string, string>>;
  /** Returns what is wrong with a document whose fields are each well. */
  problems?(document: ReadDocument): readonly (readonly [field: string, problem: string])[];
  /** The same as keywords of JSON Schema, beside `properties`; a property in it is narrowed. */
  readonly schema?: {
    readonly properties?: Readonly<Record<string, object>>;
    readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
    readonly dependentSchemas?: Readonly<Record<string, object>>;
  };
  /** `maxConnections` of documents without it. */
  readonly maxConnections: number;
  /** A document, printed in the documentation and read by a test. */
  readonly example: string;
}

/** Of an option's text, unless it says otherwise. */
export const optionCharacters = 200;

export type OptionValue = string | number | boolean;

/** Describes the values that an option takes. */
export function expectedOption(field: OptionField): string {
  if (field.type === "flag") return "true or false";
  if (field.type === "whole") return `a whole number from ${field.least} to ${field.most}`;
  if (field.type === "server") return "a server as host:port";
  return field.values === undefined
    ? `a text of 1 to ${field.most ?? optionCharacters} characters`
    : field.values.join(" or ");
}

export function isOptionValue(field: OptionField, value: unknown): value is OptionValue {
  if (field.type === "flag") return typeof value === "boolean";
  if (field.type === "whole")
    return Number.isInteger(value) && Number(value) >= field.least && Number(value) <= field.most;
  if (field.type === "server") return isServer(value);
  if (typeof value !== "string" || value === "" || value.length > (field.most ?? optionCharacters)) return false;
  return field.values === undefined || field.values.includes(value);
}

/** The most characters of a server with its port. */
export const longestServer = 270;

function isServer(value: unknown): boolean {
  const read = typeof value === "string" && value.length <= longestServer ? readServer(value) : "";
  return typeof read !== "string" && read.port !== 0;
}

/** Returns the defaults of a kind's options. */
export function optionDefaults({ options }: ConnectionKind): Readonly<Record<string, OptionValue>> {
  const given = Object.entries(options).flatMap(([name, { default: value }]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(given);
}
