/** The findings of a document's check: problems refuse it, warnings do not. Only the first of each are reported. */
import type { MappingWarning } from "../../shared/mapping.ts";

const mostReported = 20;
const mostText = 600;

/** A problem with its place apart. */
export interface PlacedProblem {
  /** JSON pointer; "" for the whole document. */
  readonly pointer: string;
  readonly message: string;
}

export class Findings {
  readonly #problems: PlacedProblem[] = [];
  readonly #warnings: MappingWarning[] = [];
  #problemCount = 0;
  #warningCount = 0;

  /** `where`: a JSON pointer, or a line and column; "" for the whole document. */
  problem(where: string, message: string): void {
    this.#problemCount += 1;
    if (this.#problems.length < mostReported) this.#problems.push({ pointer: where, message });
  }

  warning(code: string, where: string, message: string): void {
    this.#warningCount += 1;
    if (this.#warnings.length < mostReported) this.#warnings.push({ code, message: placed(where, message) });
  }

  get sound(): boolean {
    return this.#problemCount === 0;
  }

  get problems(): readonly string[] {
    const more = this.#problemCount - this.#problems.length;
    const problems = this.#problems.map(({ pointer, message }) => placed(pointer, message));
    return more === 0 ? problems : [...problems, `and ${more} more of the kind`];
  }

  /** Those that are not reported count, too. */
  get problemCount(): number {
    return this.#problemCount;
  }

  get placed(): readonly PlacedProblem[] {
    return this.#problems.map(({ pointer, message }) => ({ pointer, message: cut(message, mostText) }));
  }

  get warnings(): readonly MappingWarning[] {
    const more = this.#warningCount - this.#warnings.length;
    return more === 0
      ? this.#warnings
      : [...this.#warnings, { code: "more_warnings", message: `and ${more} more of the kind` }];
  }
}

/** Cuts both, since names of the document in them may be of any length. */
function placed(where: string, message: string): string {
  const [place, said] = [cut(where, 200), cut(message, mostText)];
  return place === "" ? said : `${place}: ${said}`;
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}...` : text;
}

/** Formats a value of the document for a message. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  const short = cut(text, 60);
  return typeof value === "string" ? JSON.stringify(short) : short;
}
