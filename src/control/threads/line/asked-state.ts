/** What one thread asks of the state store: how many of its requests wait, and the number under which it claims keys. */
import { type FrameToThread, ToThread } from "../../../shared/frames-to-thread.ts";
import { mostAsked } from "../../../shared/state.ts";
import type { StateRequest } from "../pooled-flow.ts";

/** A request as it arrives. */
export type Asked = Omit<StateRequest, "claimant" | "reply" | "refuse"> & { readonly id: number };

interface Around {
  /** The pool of the thread's flow. */
  readonly owner: {
    asks(request: StateRequest): void;
    abandoned(claimant: number): void;
  };
  /** Called with each answer, which takes the weight of a message away again. */
  readonly breaker: { answered(): void };
  send(...frame: FrameToThread): void;
}

let lastClaimant = 0;

export class AskedState {
  readonly #around: Around;
  /** 0: the thread has never asked for anything. */
  #claimant = 0;
  #waiting = 0;

  constructor(around: Around) {
    this.#around = around;
  }

  /** Throws when too many wait. */
  ask({ id, ...request }: Asked): void {
    if (this.#claimant === 0) this.#claimant = ++lastClaimant;
    this.#waiting += 1;
    if (this.#waiting > mostAsked) throw new Error(`it has more than ${mostAsked} requests to the state store`);
    const answer = (failure: string, text: string): void => {
      this.#waiting -= 1;
      this.#around.breaker.answered();
      this.#around.send(ToThread.stated, id, failure, text);
    };
    const reply = (text: string): void => answer("", text);
    this.#around.owner.asks({ ...request, claimant: this.#claimant, reply, refuse: answer });
  }

  /** Call it when the thread is gone. */
  end(): void {
    if (this.#claimant > 0) this.#around.owner.abandoned(this.#claimant);
  }
}
