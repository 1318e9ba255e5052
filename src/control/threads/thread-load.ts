/** How much a thread has to do for callers, and what it may take on beside it. */

import type { Limits } from "../../shared/limits.ts";
import { bodyWeight } from "./body-weight.ts";
import type { Invocation } from "./invocation.ts";

type Loaded = Pick<Invocation, "child" | "nested" | "bodyKind" | "body">;

/** Callers' runs and calls from other flows count apart, so that parents that wait for children cannot keep these from running. */
export class ThreadLoad {
  runs = 0;
  calls = 0;
  #runBytes = 0;
  #callBytes = 0;

  /** `by`: 1 when it begins, -1 when it is over. */
  count(invocation: Loaded, by: 1 | -1): void {
    const bytes = by * bodyWeight(invocation);
    if (invocation.child) {
      this.calls += by;
      if (invocation.nested !== true) this.#callBytes += bytes;
    } else {
      this.runs += by;
      this.#runBytes += bytes;
    }
  }

  /**
   * A body that is heavier than `threadBodyBytes` is alone with those that are empty. What a called run calls has room whatever it weighs:
   * the call above it, which waits for it, may hold these very bytes.
   */
  hasRoom(invocation: Loaded, { runsPerThread, callsPerThread, threadBodyBytes }: Limits): boolean {
    if (!invocation.child) return this.runs < runsPerThread && fits(this.#runBytes, invocation, threadBodyBytes);
    if (this.calls >= callsPerThread) return false;
    return invocation.nested === true || fits(this.#callBytes, invocation, threadBodyBytes);
  }
}

function fits(held: number, invocation: Loaded, most: number): boolean {
  const bytes = bodyWeight(invocation);
  return bytes === 0 || held === 0 || held + bytes <= most;
}
