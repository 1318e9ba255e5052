/** The figures of one source, in the memory that its thread shares with its host (shared/figures.ts). */
import { countedSources, SourceFigure, sourceFigure } from "../../shared/figures.ts";

type Moment = "lastPoll" | "nextPoll" | "lastMessage";

export class SourceFigures {
  readonly #figures: Int32Array;
  /** undefined: the flow has more sources than have figures. */
  readonly #first: number | undefined;

  /** `row`: the index among the routes with a source. */
  constructor(figures: Int32Array, row: number) {
    this.#figures = figures;
    this.#first = row < countedSources ? sourceFigure(row) : undefined;
  }

  add(what: SourceFigure, by = 1): void {
    if (this.#first === undefined) return;
    const at = this.#first + SourceFigure[what];
    this.#figures[at] = (this.#figures[at] as number) + by;
  }

  set(what: Exclude<SourceFigure, Moment>, value: number): void {
    if (this.#first !== undefined) this.#figures[this.#first + SourceFigure[what]] = value;
  }

  /** `ms`: of the epoch; undefined: there is none. */
  moment(what: Moment, ms: number | undefined): void {
    if (this.#first === undefined) return;
    const at = this.#first + SourceFigure[what];
    const seconds = Math.floor((ms ?? 0) / 1000);
    this.#figures[at + 1] = Math.floor((ms ?? 0) - seconds * 1000);
    this.#figures[at] = seconds;
  }
}
