/** Completes functions of the simple language, and names of secrets and parameters, at a place in a text. */
import { allSteps, type FlowText, type FlowTree, optionsAt } from "../../model/index.ts";
import { words } from "../../words.ts";
import type { SimpleFunction } from "./simple-functions.ts";

export interface Completion {
  /** Where what was typed of the name begins, behind `${` or `{{`. */
  readonly from: number;
  /** What stands before and behind the name, as far as it is not there. */
  readonly open: "" | "{{";
  readonly close: "}" | "}}";
  /** Whether something of it is typed already. */
  readonly isBegun: boolean;
  readonly entries: readonly SimpleFunction[];
}

const most = 12;

/** `functions`: those of the language, and names that the flow sets itself. @returns undefined where no function is begun */
export function completeSimple(
  text: string,
  caret: number,
  functions: readonly SimpleFunction[],
): Completion | undefined {
  const begun = /\$\{([^{}]*)$/.exec(text.slice(0, caret))?.[1];
  if (begun === undefined) return undefined;
  const entries = fitting(functions, begun);
  if (entries.length === 0) return undefined;
  return { from: caret - begun.length, open: "", close: "}", isBegun: true, entries };
}

/** `placeholders`: as they stand between `{{` and `}}`. @returns undefined where none is begun */
export function completePlaceholder(
  text: string,
  caret: number,
  placeholders: readonly SimpleFunction[],
): Completion | undefined {
  const begun = /\{\{([^{}]*)$/.exec(text.slice(0, caret))?.[1];
  if (begun === undefined) return undefined;
  const entries = fitting(placeholders, begun);
  if (entries.length === 0) return undefined;
  return { from: caret - begun.length, open: "", close: "}}", isBegun: true, entries };
}

/** Offers all secrets where nothing is written yet. */
export function completeSecret(text: string, placeholders: readonly SimpleFunction[]): Completion | undefined {
  const entries = placeholders.filter((one) => one.text.startsWith("secret:"));
  return text !== "" || entries.length === 0
    ? undefined
    : { from: 0, open: "{{", close: "}}", isBegun: false, entries };
}

function fitting(entries: readonly SimpleFunction[], begun: string): readonly SimpleFunction[] {
  const wanted = begun.toLowerCase();
  const fits = entries.filter((one) => one.text.toLowerCase().includes(wanted));
  fits.sort((one, other) => Number(begins(other, wanted)) - Number(begins(one, wanted)));
  return fits.filter((one) => one.text !== begun).slice(0, most);
}

function begins({ text }: SimpleFunction, wanted: string): boolean {
  return text.toLowerCase().startsWith(wanted);
}

/** Puts a name in the place of what was typed. @returns the text, and where the caret is then */
export function insertEntry(
  text: string,
  caret: number,
  { from, open, close }: Pick<Completion, "from" | "open" | "close">,
  { text: name }: SimpleFunction,
) {
  const rest = text.slice(caret);
  const end = rest.startsWith(close) ? "" : close;
  const goesOn = close === "}" && /[.([:]$/.test(name);
  const at = from + open.length + name.length + (goesOn ? 0 : close.length);
  return { text: `${text.slice(0, from)}${open}${name}${end}${rest}`, caret: at };
}

const setters: Readonly<Record<string, string>> = {
  setHeader: "header",
  setVariable: "variable",
  setProperty: "exchangeProperty",
};

/** The headers, variables and properties that steps of the flow set. */
export function ownNames(flow: FlowText, tree: FlowTree): readonly SimpleFunction[] {
  const names = allSteps(tree).flatMap(({ name, path }) => {
    const kind = setters[name];
    const set = kind === undefined ? undefined : optionsAt(flow, path)["name"];
    return typeof set === "string" && /^[\w-]+$/.test(set) ? [`${kind}.${set}`] : [];
  });
  return [...new Set(names)].map((text) => ({ text, docs: words.form.setInFlow }));
}
