/**
 * Selects the files of a directory by their names, and sorts them (Camel: GenericFileConsumer.isMatched,
 * AntPathMatcherFileFilter, GenericFileDefaultSorter).
 */

import type { EndpointContext } from "../../engine/endpoint-context.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { compileRegex } from "../../engine/regex.ts";
import { isPart } from "./file-system.ts";
import type { FoundFile } from "./headers.ts";
import type { FileOptions } from "./options.ts";

/** Attributes that are numbers in Camel; all others are compared as text. */
const numeric = /^\$\{file:(?:size|length|modified)\}$/;

interface Rule {
  key(exchange: Exchange): string | number;
  readonly reverse: boolean;
}

type Sorter = (files: readonly FoundFile[], about: (file: FoundFile) => Exchange) => readonly FoundFile[];

/** Compiles `sortBy=file:modified`, `reverse:ignoreCase:file:name;file:size`. Throws for an invalid text. */
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

/** `reverse` also reverses the rules after it, which are nested in it. */
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

/** The suffix of files that Camel's read locks leave behind. */
const lockFile = ".camelLock";

/** `name`: the last part; `path`: relative to the endpoint's directory. */
type Test = (name: string, path: string) => boolean;

/** Throws for invalid patterns. */
export function nameFilter(options: FileOptions): Test {
  const { include, exclude, includeExt, excludeExt, antInclude, antExclude, includeHiddenFiles } = options;
  const tests: Test[] = [(name) => !name.startsWith(".") || (includeHiddenFiles && !isPart(name))];
  tests.push((name) => !name.endsWith(lockFile));
  const add = <T>(option: T | undefined, wanted: boolean, matcher: (option: T) => Test): void => {
    if (option === undefined) return;
    const matches = matcher(option);
    tests.push((name, path) => matches(name, path) === wanted);
  };
  const ant = (patterns: string): Test => antMatcher(patterns, options.antFilterCaseSensitive);
  add(antExclude, false, ant);
  add(antInclude, true, ant);
  add(exclude, false, regexMatcher);
  add(excludeExt, false, extensionMatcher);
  add(include, true, regexMatcher);
  add(includeExt, true, extensionMatcher);
  return (name, path) => tests.every((test) => test(name, path));
}

function regexMatcher(pattern: string): Test {
  const regex = compileRegex(pattern, { caseInsensitive: true });
  return (name) => regex.matches(name);
}

function extensionMatcher(list: string): Test {
  const endings = parts(list).map((one) => `.${one.toLowerCase()}`);
  return (name) => endings.some((ending) => name.toLowerCase().endsWith(ending));
}

function antMatcher(patterns: string, caseSensitive: boolean): Test {
  const all = parts(patterns).map((one) => compileRegex(antRegex(one), { caseInsensitive: !caseSensitive }));
  return (_name, path) => all.some((one) => one.matches(path));
}

function parts(list: string): string[] {
  return list
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

/** Ant's patterns: `?` is a character, `*` any in one name, `**` any directories; `a/` is `a/**`. */
function antRegex(pattern: string): string {
  const whole = pattern.endsWith("/") ? `${pattern}**` : pattern;
  return whole.replaceAll(/\*\*\/|\/\*\*$|\*\*|\*|\?|[\\^$.|+()[\]{}]/g, (part) => {
    if (part === "**/") return "(?:[^/]+/)*";
    if (part === "/**") return "(?:/.*)?";
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    return part === "?" ? "[^/]" : `\\${part}`;
  });
}
