/** The requests of control to a check thread, and the answers. */
import type { Diagnostic } from "./diagnostic.ts";
import type { Variables } from "./environment-mark.ts";
import type { FlowModel } from "./flow-model.ts";
import type { Limits } from "./limits.ts";
import type { FlowManifest } from "./manifest.ts";

/** Values for `{{name}}` placeholders; null counts as missing. */
export type Params = Readonly<Record<string, string | number | boolean | null>>;

export interface CheckRequest {
  readonly flowId: string;
  readonly yaml: string;
  readonly params: Params;
  /** The variables that the flow may read as `{{env:NAME}}`; absent: none. */
  readonly variables?: Variables;
  readonly limits: Limits;
}

export interface CheckResult {
  /** Present when there is no error among the diagnostics. */
  readonly flow?: { readonly model: FlowModel; readonly manifest: FlowManifest };
  /** Errors and warnings in the order of the text. */
  readonly diagnostics: readonly Diagnostic[];
}

/** One entry of the catalogue (`GET /_api/catalog`): a step, a component, a language, a data format. */
export interface CatalogEntry {
  readonly name: string;
  readonly docs: string;
  readonly example: string;
  /** JSON Schema (2020-12) of the options as written in YAML. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ComponentEntry extends CatalogEntry {
  readonly consumer: boolean;
  readonly producer: boolean;
  /** Whether steps can poll it. */
  readonly poller: boolean;
}

export interface FormatEntry extends CatalogEntry {
  readonly marshal: boolean;
  readonly unmarshal: boolean;
}

/** Begins the `x-kind` of an option in a schema that accepts only one value, the one without effect. */
export const onlyKind = "only ";

/** In the schema of a map: options of Camel that are refused, or taken with one value only, each with the reason. */
export const refusedKeyword = "x-refused";

/** A kamelet of the runtime; its schema is that of its parameters. */
export type KameletEntry = Omit<CatalogEntry, "example">;

/** A function of the language simple. */
export interface FunctionEntry {
  readonly name: string;
  /** `pad(exp,width,separator)` */
  readonly usage: string;
  readonly docs: string;
  readonly example: string;
  /** The message of the example as JSON: `{"body":" a "}`; "": any. */
  readonly given: string;
  /** What the example gives, as JSON; "": it differs each time. */
  readonly result: string;
}

export interface CatalogDocument {
  readonly steps: readonly CatalogEntry[];
  readonly components: readonly ComponentEntry[];
  readonly languages: readonly CatalogEntry[];
  readonly functions: readonly FunctionEntry[];
  /** Data formats. */
  readonly formats: readonly FormatEntry[];
  /** What stands beside `route` in a document: onException, errorHandler, ... */
  readonly elements: readonly CatalogEntry[];
  readonly kamelets: readonly KameletEntry[];
}

/** The result of `describe`: the catalogue and the JSON Schema of a whole flow document, for editors. */
export interface Description {
  readonly catalog: CatalogDocument;
  readonly flowSchema: Readonly<Record<string, unknown>>;
}
