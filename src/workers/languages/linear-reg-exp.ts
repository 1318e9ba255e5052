/**
 * The part of RegExp that interpreters use, on the linear engine, so that patterns of flows never run on the native
 * one.
 */
import { compileRegex, type Regex } from "../engine/regex.ts";

interface Match extends Array<string | undefined> {
  index: number;
}

export class LinearRegExp {
  readonly source: string;
  readonly flags: string;
  /** Where the next match may begin, with the flag `g`. */
  lastIndex = 0;
  readonly #regex: Regex;

  /** Throws PatternSyntaxException. */
  constructor(pattern: string | { readonly source: string; readonly flags: string }, flags = "") {
    this.source = typeof pattern === "string" ? pattern : pattern.source;
    this.flags = typeof pattern === "string" ? flags : pattern.flags;
    this.#regex = compileRegex(this.source, {
      caseInsensitive: this.flags.includes("i"),
      multiline: this.flags.includes("m"),
      dotAll: this.flags.includes("s"),
    });
  }

  exec(text: string): Match | null {
    const global = this.flags.includes("g");
    const found = this.#regex.match(text, global ? this.lastIndex : 0);
    if (global) this.lastIndex = found?.end ?? 0;
    if (found === undefined) return null;
    const groups = found.groups.map((group) => group && text.slice(group.start, group.end));
    return Object.assign([text.slice(found.start, found.end), ...groups], { index: found.start });
  }

  test(text: string): boolean {
    return this.exec(text) !== null;
  }
}
