/**
 * The order of the messages of a lane. Their runs begin one after another: the next one when the one before has ended, or has handed what its
 * last step sends to a server's client, in order. Runs end in their order, too. When one of them fails behind that, or is returned to its
 * server, those behind it are withdrawn, and run again.
 */

/** Of a run that was withdrawn. */
export class Withdrawn extends Error {
  constructor() {
    super("the message ahead of it has failed while this one was sent: it runs again");
  }
}

/**
 * - waits: its run may not begin
 * - runs: no other may begin behind it
 * - handed: its last step with an effect is under way, and the next run may begin
 * - returns: its run has ended, and it is on its way back to its server: no other may begin behind it
 * - over: it has ended, and is not tried again
 */
type State = "waits" | "runs" | "handed" | "returns" | "over";

/** A run that keeps the others waiting for longer is slow: none is begun ahead of its turn then, where it would only wait. */
const slowMs = 5;

/** The turns of a source. */
export class Turns {
  /** true: the last run that had its turn was slow, or none has had it. */
  areSlow = true;
}

export class Turn {
  readonly #turns: Turns;
  #state: State = "waits";
  /** When its run began, by performance.now(). */
  #since = 0;
  #before: Turn | undefined;
  #after: Turn | undefined;
  /** true: its run must end, and its message runs again. */
  #isWithdrawn = false;
  #mustReturn = false;
  /** true: its run was withdrawn, or is tried again. The next one keeps the others waiting to its end: it may be what ends the connection of all. */
  #isAgain = false;
  /** Of those behind it, which wait until it has another state. */
  #looking: (() => void)[] = [];
  /** Ends its own wait. */
  #wake: (() => void) | undefined;
  /** Stops its run. */
  #stop: (() => void) | undefined;

  /** `before`: the message that was taken before it in the lane. */
  constructor(turns: Turns, before: Turn | undefined) {
    this.#turns = turns;
    if (before !== undefined) before.#after = this;
    this.#before = before;
    const ahead = this.#ahead;
    this.#mustReturn = ahead !== undefined && (ahead.#mustReturn || ahead.#state === "returns");
  }

  /** true: it must be returned to its server, since one ahead of it is. */
  get mustReturn(): boolean {
    return this.#mustReturn;
  }

  /** Returns undefined when its run may begin; otherwise resolves then. Throws, or rejects with, Withdrawn when it must not. */
  begin(): Promise<void> | undefined {
    if (!this.#mayBegin()) return this.#begin();
    this.#begun();
    return undefined;
  }

  /** `stop`: called when its run must end and has not handed on what it sends. */
  watch(stop: () => void): void {
    this.#stop = stop;
  }

  /** The next run may begin: what this one sends is with the client of its server. */
  handOver(): void {
    if (this.#state === "runs" && !this.#isAgain) this.#set("handed");
  }

  /** Settles as `sending` when all ahead of it have ended. Rejects with Withdrawn when this one runs again. */
  async inOrder(sending: Promise<void>): Promise<void> {
    let failure: { readonly error: unknown } | undefined;
    try {
      await sending;
    } catch (error) {
      failure = { error };
      // What those behind it send must not arrive ahead of what the next attempts send.
      this.#set("runs");
      this.#withdrawBehind(false);
    }
    for (let before = this.#check(); before !== undefined; before = this.#check()) await this.#look(before);
    if (failure !== undefined) throw failure.error;
  }

  /** Its run has ended and is not tried again. `fails`: it has failed; `returns`: it is returned to its server, and over when `leave` is called. */
  end({ fails, returns }: { readonly fails: boolean; readonly returns: boolean }): void {
    if (this.#state === "over") return;
    if (returns || fails) this.#withdrawBehind(returns);
    this.#set(returns ? "returns" : "over");
  }

  /** It is settled. Without an end nothing behind it may be taken for done. */
  leave(): void {
    if (this.#state === "over") return;
    if (this.#state !== "returns") this.#withdrawBehind(true);
    this.#set("over");
  }

  /** Its run must end, and does not wait any more. */
  abandon(): void {
    this.#isWithdrawn = true;
    this.#wake?.();
  }

  /** Its message goes back to its server, unless its run has begun. */
  returnUnbegun(): void {
    if (this.#state !== "waits") return;
    this.#mustReturn = true;
    this.abandon();
  }

  /** Its run has not begun, was withdrawn, or is tried again after a failure: it runs again, in its place, and those behind it, too. */
  reset(): void {
    this.#withdrawBehind(false);
    this.#isAgain ||= this.#state !== "waits";
    this.#isWithdrawn = false;
    this.#set("waits");
  }

  /** The nearest message ahead that is not over: one may end before those ahead of it, when it sends nothing. */
  get #ahead(): Turn | undefined {
    let before = this.#before;
    while (before !== undefined && before.#state === "over") before = before.#before;
    this.#before = before;
    return before;
  }

  #check(): Turn | undefined {
    if (this.#isWithdrawn || this.#mustReturn) throw new Withdrawn();
    return this.#ahead;
  }

  #mayBegin(): boolean {
    for (let before = this.#check(); before !== undefined; before = before.#ahead)
      if (before.#state !== "handed" || before.#isWithdrawn) return false;
    return true;
  }

  async #begin(): Promise<void> {
    while (!this.#mayBegin()) await this.#look(this.#before as Turn);
    this.#begun();
  }

  #begun(): void {
    this.#set("runs");
    this.#since = performance.now();
  }

  #withdrawBehind(returns: boolean): void {
    for (let after = this.#after; after !== undefined; after = after.#after) {
      if (after.#state === "over" || after.#state === "returns") continue;
      if (returns) after.#mustReturn = true;
      if (after.#state === "waits" && !returns) continue;
      after.abandon();
      if (after.#state === "runs") after.#stop?.();
    }
  }

  /** Resolves when the one before has another state. */
  #look(before: Turn): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      before.#looking.push(resolve);
    });
  }

  #set(state: State): void {
    if (this.#state === "runs") this.#turns.areSlow = performance.now() - this.#since > slowMs;
    this.#state = state;
    for (const look of this.#looking.splice(0)) look();
  }
}
