/** Completes functions of the simple language at a place in a text. */
import { allSteps, type FlowText, type FlowTree, optionsAt } from "../../model/index.ts";
import { words } from "../../words.ts";
import { type SimpleFunction, simpleFunctions } from "./simple-functions.ts";

export interface Completion {
  /** Where what was typed of the function begins, behind `${`. */
  readonly from: number;
  readonly entries: readonly SimpleFunction[];
}

const most = 12;

/** `own`: names that the flow sets itself. @returns undefined where no function is begun */
export function completeSimple(
  text: string,
  caret: number,
  own: readonly SimpleFunction[] = [],
): Completion | undefined {
  const begun = /\$\{([^{}]*)$/.exec(text.slice(0, caret))?.[1];
  if (begun === undefined) return undefined;
  const wanted = begun.toLowerCase();
  const fits = [...own, ...simpleFunctions].filter((one) => one.text.toLowerCase().includes(wanted));
  fits.sort((one, other) => Number(begins(other, wanted)) - Number(begins(one, wanted)));
  const entries = fits.filter((one) => one.text !== begun).slice(0, most);
  return entries.length === 0 ? undefined : { from: caret - begun.length, entries };
}

function begins({ text }: SimpleFunction, wanted: string): boolean {
  return text.toLowerCase().startsWith(wanted);
}

/** Puts a function in the place of what was typed. @returns the text, and where the caret is then */
export function insertFunction(text: string, caret: number, from: number, { text: name }: SimpleFunction) {
  const rest = text.slice(caret);
  const end = rest.startsWith("}") ? "" : "}";
  const goesOn = /[.([:]$/.test(name);
  const at = from + name.length + (goesOn ? 0 : 1);
  return { text: `${text.slice(0, from)}${name}${end}${rest}`, caret: at };
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
