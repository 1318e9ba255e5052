/** What the fields of a form share. */
import { type Catalog, type FlowText, languageNames, secretsOf } from "../../model/index.ts";
import { words } from "../../words.ts";
import type { SecretName } from "../secret-names.ts";
import type { EditorSession, MakeChanges } from "../session/session.ts";
import type { Field } from "./fields.ts";
import type { SimpleFunction } from "./simple-functions.ts";

export interface FormContext {
  readonly session: EditorSession;
  readonly catalog: Catalog;
  /** Whether the catalogue is there: without it nothing is known to be missing. */
  readonly isKnown: boolean;
  readonly isEditable: boolean;
  /** Whole values that a field offers. */
  readonly offers: (field: Pick<Field, "name" | "kind">) => readonly string[];
  /** Secrets and parameters, as they stand between `{{` and `}}`. */
  readonly placeholders: () => readonly SimpleFunction[];
  /** What is wrong with the secrets that a value names; undefined: nothing. */
  readonly problemOf: (text: string) => string | undefined;
  /** Writes a change; `title`: the name of the option. */
  readonly change: (title: string, at: string, make: MakeChanges) => void;
}

export interface OptionFieldProps {
  readonly field: Field;
  /** What is written; undefined: nothing. */
  readonly value: unknown;
  /** Writes a value; undefined removes the option. */
  readonly onValue: (value: unknown) => void;
  /** The keys of the option from the root of the document. */
  readonly path: readonly (string | number)[];
  readonly context: FormContext;
}

/** Names of languages: those of the runtime, else those of Camel. */
export function languagesOf({ languages }: Catalog): readonly string[] {
  return languages.length === 0 ? languageNames : languages.map(({ name }) => name);
}

/** Whether an option is for a secret, by its name. */
export function isSecretField(name: string): boolean {
  return /secret|password|passphrase|token|key/i.test(name);
}

/** The secrets that the runtime has for the flow, its parameters, and the variables that it names. `secrets`: undefined: not known, then those that it names. */
export function placeholdersOf(
  flow: FlowText,
  params: unknown,
  secrets: readonly SecretName[] | undefined,
): readonly SimpleFunction[] {
  const docs = words.form.placeholders;
  const named = secretsOf(flow).map(({ name }) => ({ name, docs: words.form.namedInFlow }));
  const known = secrets?.map(({ name, shared }) => ({ name, docs: shared ? docs.shared : docs.own })) ?? named;
  const variables = [...flow.text.matchAll(/\{\{\s*(env:[^{}:?\s]+)/g)].map(([, text = ""]) => ({
    text,
    docs: words.form.namedInFlow,
  }));
  const names = typeof params === "object" && params !== null ? Object.keys(params) : [];
  const all = [
    ...known.map(({ name, docs: text }) => ({ text: `secret:${name}`, docs: text })),
    ...names.map((text) => ({ text, docs: docs.parameter })),
    ...variables,
  ];
  return [...new Map(all.map((one) => [one.text, one])).values()];
}
