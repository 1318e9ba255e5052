/** What the fields of a form share. */
import { type Catalog, type FlowText, languageNames } from "../../model/index.ts";
import type { EditorSession, MakeChanges } from "../session/session.ts";
import type { Field } from "./fields.ts";

export interface FormContext {
  readonly session: EditorSession;
  readonly catalog: Catalog;
  /** Whether the catalogue is there: without it nothing is known to be missing. */
  readonly isKnown: boolean;
  readonly isEditable: boolean;
  /** What a field offers while one types. */
  readonly offers: (field: Pick<Field, "name" | "kind">, text: string) => readonly string[];
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

/** Secrets and parameters that the flow names already: `{{secret:KEY}}`, `{{region}}`. */
export function placeholdersOf(flow: FlowText, params: unknown): readonly string[] {
  const written = [...flow.text.matchAll(/\{\{\s*((?:secret|env):[^}:?]+)/g)].map(([, name]) => `{{${name}}}`);
  const names = typeof params === "object" && params !== null ? Object.keys(params) : [];
  return [...new Set([...written, ...names.map((name) => `{{${name}}}`)])];
}
