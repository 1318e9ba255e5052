/** What is wrong with mocks and matchers, with its places. */
import { keysOf, type Place } from "../../shared/comparison.ts";
import type { Path } from "../../shared/document-place.ts";
import type { MockProblem } from "../../shared/mock.ts";
import { shortJson } from "../../shared/short-json.ts";

const mostProblems = 50;
const shownCharacters = 80;
const messageCharacters = 500;

export class Problems {
  readonly all: MockProblem[] = [];

  get full(): boolean {
    return this.all.length >= mostProblems;
  }

  bad(place: Place, message: string): undefined {
    this.add(keysOf(place), message);
  }

  add(path: Path, message: string): void {
    if (!this.full) this.all.push({ path, message: message.slice(0, messageCharacters) });
  }

  /** `what` is expected, and something else was found. */
  expected(place: Place, what: string, found: unknown): undefined {
    this.bad(place, `${what} is expected; found ${shortJson(found, shownCharacters)}`);
  }
}
