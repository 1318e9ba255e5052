/** The order of files: `sortBy=file:modified`, `reverse:ignoreCase:file:name;file:size` (Camel: GenericFileDefaultSorter). */
import { coercedCompare } from "../../engine/compare.ts";
import type { ConsumerContext } from "../../engine/component.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { FoundFile } from "./selection.ts";

interface Rule {
  readonly value: (exchange: Exchange) => string;
  readonly reverse: boolean;
  readonly ignoreCase: boolean;
}

export function sorted(
  sortBy: string | undefined,
  context: Pick<ConsumerContext, "template">,
): (files: readonly FoundFile[], named: (file: FoundFile) => Exchange, shuffle: boolean) => FoundFile[] {
  const rules = sortBy === undefined ? [] : sortBy.split(";").map((text) => ruleOf(text.trim(), context));
  return (files, named, shuffle) => {
    if (shuffle) return shuffled(files);
    if (rules.length === 0) return [...files];
    const keyed = files.map((file) => ({ file, keys: rules.map((rule) => keyOf(rule, named(file))) }));
    keyed.sort((a, b) => {
      for (const [at, { reverse }] of rules.entries()) {
        const order = coercedCompare(a.keys[at], b.keys[at]);
        if (order !== 0) return reverse ? -order : order;
      }
      return 0;
    });
    return keyed.map(({ file }) => file);
  };
}

function ruleOf(text: string, { template }: Pick<ConsumerContext, "template">): Rule {
  let rest = text;
  let reverse = false;
  let ignoreCase = false;
  for (;;) {
    if (rest.startsWith("reverse:")) reverse = true;
    else if (rest.startsWith("ignoreCase:")) ignoreCase = true;
    else break;
    rest = rest.slice(rest.indexOf(":") + 1);
  }
  return { value: template(rest.includes("${") ? rest : `\${${rest}}`), reverse, ignoreCase };
}

function keyOf({ value, ignoreCase }: Rule, exchange: Exchange): string {
  const key = value(exchange);
  return ignoreCase ? key.toLowerCase() : key;
}

function shuffled(files: readonly FoundFile[]): FoundFile[] {
  const list = [...files];
  for (let at = list.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1));
    [list[at], list[other]] = [list[other] as FoundFile, list[at] as FoundFile];
  }
  return list;
}
