/** The order of files: `sortBy=file:modified`, `reverse:ignoreCase:file:name;file:size` (Camel: GenericFileDefaultSorter). */
import type { EndpointContext } from "../../engine/component.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { FoundFile } from "./headers.ts";

/** Those that are numbers in Camel; all others are compared as text. */
const numeric = /^\$\{file:(?:size|length|modified)\}$/;

interface Rule {
  key(exchange: Exchange): string | number;
  readonly reverse: boolean;
}

type Sorter = (files: readonly FoundFile[], about: (file: FoundFile) => Exchange) => readonly FoundFile[];

/** Throws for a text that cannot be read. */
export function sorterOf(text: string | undefined, templates: Pick<EndpointContext, "template">): Sorter | undefined {
  if (text === undefined) return undefined;
  const rules = text.split(";").map((one) => ruleOf(one.trim(), templates));
  return (files, about) => {
    const keyed = files.map((file) => {
      const exchange = about(file);
      return { file, keys: rules.map(({ key }) => key(exchange)) };
    });
    return keyed.sort((a, b) => order(rules, a.keys, b.keys)).map(({ file }) => file);
  };
}

/** `reverse` turns the rules after it as well: they are nested in it. */
function order(rules: readonly Rule[], a: readonly (string | number)[], b: readonly (string | number)[]): number {
  let sign = 1;
  for (const [at, { reverse }] of rules.entries()) {
    if (reverse) sign = -sign;
    const [one, other] = [a[at] as string | number, b[at] as string | number];
    if (one !== other) return one < other ? -sign : sign;
  }
  return 0;
}

function ruleOf(text: string, { template }: Pick<EndpointContext, "template">): Rule {
  const [, reverse, ignoreCase, rest = ""] = /^(reverse:)?(ignoreCase:)?(.*)$/s.exec(text) ?? [];
  if (rest === "") throw new Error(`sortBy needs something to sort by, such as file:name; found '${text}'`);
  const whole = `${rest.startsWith("${") ? "" : "${"}${rest}${rest.endsWith("}") ? "" : "}"}`;
  const value = template(whole);
  const key = (exchange: Exchange): string | number => {
    const one = value(exchange);
    if (numeric.test(whole)) return Number(one);
    return ignoreCase === undefined ? one : one.toLowerCase();
  };
  return { key, reverse: reverse !== undefined };
}

export function shuffled(files: readonly FoundFile[]): readonly FoundFile[] {
  return files
    .map((file) => ({ file, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ file }) => file);
}
