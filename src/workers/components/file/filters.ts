/** Which files of a directory a consumer wants, by their names (Camel: GenericFileConsumer.isMatched, AntPathMatcherFileFilter). */
import { compileRegex } from "../../engine/regex.ts";
import { isPart } from "./disk.ts";
import type { FileOptions } from "./options.ts";

/** What is left behind by read locks of Camel's. */
const lockFile = ".camelLock";

/** `name`: the last part; `path`: from the endpoint's directory on. */
type Test = (name: string, path: string) => boolean;

/** Throws for patterns that cannot be read. */
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
