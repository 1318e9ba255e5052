/** What a thread has to do for callers, in runs and in bytes of their bodies, and whether it has room for more. */
import type { Limits } from "../../../shared/limits.ts";
import { BodyKind } from "../../../shared/protocol.ts";
import type { Invocation } from "../invocation.ts";

/** Bodies that are read into objects: numbers in a list take several times as much as their digits, and the text is there as well. */
const structuredFactor = 4;

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

/** Returns what a body weighs: its bytes, of a text its characters. A body that is in its thread already weighs nothing. */
function bodyWeight({ bodyKind, body }: Loaded): number {
  if (body === null || bodyKind === BodyKind.held) return 0;
  const plain = bodyKind === BodyKind.text || bodyKind === BodyKind.bytes;
  return plain ? body.length : structuredFactor * body.length;
}
