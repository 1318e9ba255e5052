/** What a call may be answered while the server is changed: a call that was under way during a change may see both sides of it. */

export class Expected {
  readonly #sets: (readonly string[])[];

  constructor(...answers: readonly string[]) {
    this.#sets = [answers];
  }

  /** To be noted when a call is sent. */
  get now(): number {
    return this.#sets.length - 1;
  }

  /** From here on these and no others. */
  become(...answers: readonly string[]): void {
    this.#sets.push(answers);
  }

  /** From here on these, too: the change has been sent and is not answered yet. */
  mayBecome(...answers: readonly string[]): void {
    this.become(...(this.#sets.at(-1) ?? []), ...answers);
  }

  /** Whether a call that was sent at `since` may be answered so now. */
  allows(since: number, answer: string): boolean {
    return this.#sets.slice(since).some((set) => set.includes(answer));
  }
}
