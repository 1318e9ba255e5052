/** What is wrong with mocks and assertions, with its places. */
import { keysOf, type Place } from "../../shared/comparison.ts";
import { isObject } from "../../shared/matcher-operators.ts";
import type { MockProblem } from "../../shared/mock.ts";
import { shortJson } from "../../shared/short-json.ts";
import { didYouMean, listed } from "../../shared/suggest.ts";

const mostProblems = 50;
const shownCharacters = 80;
const messageCharacters = 500;

export class Problems {
  readonly all: MockProblem[] = [];

  get full(): boolean {
    return this.all.length >= mostProblems;
  }

  bad(place: Place, message: string): undefined {
    if (!this.full) this.all.push({ path: keysOf(place), message: message.slice(0, messageCharacters) });
  }

  /** `what` is expected, and something else was found. */
  expected(place: Place, what: string, found: unknown): undefined {
    this.bad(place, `${what} is expected; found ${shortJson(found, shownCharacters)}`);
  }

  /** An object with these keys only; others are told, and undefined stands for what is no object. */
  fields(value: unknown, place: Place, known: readonly string[], what: string): Fields | undefined {
    if (!isObject(value)) return this.expected(place, what, value);
    for (const key of Object.keys(value)) {
      if (known.includes(key)) continue;
      const near = didYouMean(key.slice(0, 60), known).replace(/^ \((.*)\)$/, ", $1");
      this.bad({ above: place, key }, `unknown key${near}; there are ${listed(known)}`);
    }
    return value;
  }
}

export type Fields = Readonly<Record<string, unknown>>;

/** A field's own value; undefined when it is absent. */
export function fieldOf(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
