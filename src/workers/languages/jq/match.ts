/** jq's regular expressions, on the linear engine: no look-around, no back-references. */
import { FlowException } from "../../engine/exception.ts";
import { compileRegex, type Regex } from "../../engine/regex.ts";
import { chargeList, describeValue, JqError, type Json, surrogates, tick } from "./values.ts";

/** How many patterns stay compiled. */
const maxKept = 64;
const kept = new Map<string, Regex>();

/** `_match(re; flags; test)`: returns whether some part matches, or the list of matches. Throws JqError. */
export function matchFunction(text: Json, pattern: Json, flags: Json, test: Json): Json {
  if (typeof text !== "string") throw new JqError(`${describeValue(text)} cannot be matched, as it is not a string`);
  if (typeof pattern !== "string")
    throw new JqError(`${describeValue(pattern)} cannot be matched, as it is not a string`);
  if (flags !== null && typeof flags !== "string") throw new JqError(`${describeValue(flags)} is not a string`);
  const { regex, global, skipEmpty } = compiled(pattern, flags ?? "");
  if (test === true) return skipEmpty ? allMatches(regex, text, true, true).length > 0 : regex.find(text);
  return allMatches(regex, text, global, skipEmpty);
}

/** Lists the matches with their captures; offsets and lengths count code points. */
function allMatches(regex: Regex, text: string, global: boolean, skipEmpty: boolean): Json[] {
  const points = pointCounter(text);
  const names = new Map([...regex.names].map(([name, group]) => [group, name]));
  const found: Json[] = [];
  for (let at = 0; at <= text.length; ) {
    tick();
    const match = regex.match(text, at);
    if (match === undefined) break;
    const { start, end, groups } = match;
    if (!skipEmpty || end > start) {
      const captures = groups.map((group, i) => ({
        offset: group === undefined ? -1 : points(group.start),
        length: group === undefined ? 0 : points(group.end) - points(group.start),
        string: group === undefined ? null : text.slice(group.start, group.end),
        name: names.get(i + 1) ?? null,
      }));
      found.push({
        offset: points(start),
        length: points(end) - points(start),
        string: text.slice(start, end),
        captures,
      });
    }
    if (!global) break;
    at = end > start ? end : end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
  }
  return chargeList(found);
}

function pointCounter(text: string): (offset: number) => number {
  if (!surrogates.test(text)) return (offset) => offset;
  const before = new Uint32Array(text.length + 1);
  for (let i = 0; i < text.length; i++)
    before[i + 1] = (before[i] ?? 0) + (text.charCodeAt(i) >= 0xdc00 && text.charCodeAt(i) <= 0xdfff ? 0 : 1);
  return (offset) => before[offset] ?? 0;
}

function compiled(pattern: string, flags: string): { regex: Regex; global: boolean; skipEmpty: boolean } {
  const unknown = /[^gimnpslx]/.exec(flags);
  if (unknown !== null) throw new JqError(`${flags} is not a valid modifier string`);
  const key = `${flags}/${pattern}`;
  let regex = kept.get(key);
  if (regex === undefined) {
    const source = flags.includes("x") ? dropBlanks(pattern) : pattern;
    try {
      // In Oniguruma `s` is single line (^ and $ are the text's ends, as here), `p` single line and dots that match
      // line ends.
      regex = compileRegex(source, {
        caseInsensitive: flags.includes("i"),
        dotAll: flags.includes("p") || flags.includes("s"),
      });
    } catch (error) {
      if (!(error instanceof FlowException)) throw error;
      throw new JqError(`${pattern.slice(0, 100)} (at offset 0) is not a valid regex: ${error.message}`);
    }
    if (kept.size === maxKept) kept.clear();
    kept.set(key, regex);
  }
  return { regex, global: flags.includes("g"), skipEmpty: flags.includes("n") };
}

/** For the flag `x`: removes blanks and comments outside of classes. */
function dropBlanks(pattern: string): string {
  let inClass = false;
  return pattern.replaceAll(/\\.|[[\]]|\s+|#[^\n]*/gs, (token) => {
    if (token === "[") inClass = true;
    if (token === "]") inClass = false;
    return !inClass && /^(?:\s|#)/.test(token) ? "" : token;
  });
}
