/** The last lines of a stream, as a tail shows them: bounded, filtered, and held still while it is paused. */

export interface TailState<L> {
  /** Those that match, the oldest first. */
  readonly shown: readonly L[];
  /** Lines that are missing: dropped on the way. */
  readonly dropped: number;
  readonly paused: boolean;
  /** Lines that came while it was paused. */
  readonly behind: number;
}

export class Tail<L> {
  readonly #most: number;
  #lines: L[] = [];
  #held: readonly L[] | undefined;
  #behind = 0;
  #dropped = 0;
  #matches: (line: L) => boolean = () => true;
  #read: TailState<L> | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  take(lines: readonly L[], dropped: number): void {
    this.#lines = [...this.#lines, ...lines].slice(-this.#most);
    this.#dropped += dropped;
    if (this.#held !== undefined) this.#behind += lines.length;
    this.#read = undefined;
  }

  filter(matches: (line: L) => boolean): void {
    this.#matches = matches;
    this.#read = undefined;
  }

  /** Holds the lines as they are; the stream goes on behind, and is shown once it is resumed. */
  pause(paused: boolean): void {
    this.#held = paused ? (this.#held ?? this.#lines) : undefined;
    if (!paused) this.#behind = 0;
    this.#read = undefined;
  }

  clear(): void {
    this.#lines = [];
    this.#held = this.#held === undefined ? undefined : [];
    this.#behind = 0;
    this.#dropped = 0;
    this.#read = undefined;
  }

  /** The same object until something has changed. */
  get(): TailState<L> {
    this.#read ??= {
      shown: (this.#held ?? this.#lines).filter(this.#matches),
      dropped: this.#dropped,
      paused: this.#held !== undefined,
      behind: this.#behind,
    };
    return this.#read;
  }
}
