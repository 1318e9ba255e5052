/** What one thread asks of the state store: how many of its requests wait, and the number under which it claims keys. */
import { type FrameToThread, ToThread } from "../../../shared/frames-to-thread.ts";
import { mostAsked } from "../../../shared/state.ts";
import type { GroupsRequest, StateRequest } from "../pooled-flow.ts";

/** A request as it arrives. */
export type Asked = Omit<StateRequest, "claimant" | "reply" | "refuse"> & { readonly id: number };

export type AskedOfGroups = Omit<GroupsRequest, "claimant" | "reply" | "deliver" | "refuse"> & { readonly id: number };

interface Around {
  /** The pool of the thread's flow. */
  readonly owner: {
    asks(request: StateRequest): void;
    asksGroups(request: GroupsRequest): void;
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
    const { claimant, answer } = this.#begin(id);
    this.#around.owner.asks({ ...request, claimant, reply: (text) => answer("", text), refuse: answer });
  }

  /** Throws when too many wait. */
  askGroups({ id, ...request }: AskedOfGroups): void {
    const { claimant, answer, end } = this.#begin(id);
    const deliver = (messages: Uint8Array): void => {
      end();
      this.#around.send(ToThread.grouped, id, messages);
    };
    this.#around.owner.asksGroups({
      ...request,
      claimant,
      reply: (text) => answer("", text),
      deliver,
      refuse: answer,
    });
  }

  #begin(id: number): { claimant: number; answer(failure: string, text: string): void; end(): void } {
    if (this.#claimant === 0) this.#claimant = ++lastClaimant;
    this.#waiting += 1;
    if (this.#waiting > mostAsked) throw new Error(`it has more than ${mostAsked} requests to the state store`);
    const end = (): void => {
      this.#waiting -= 1;
      this.#around.breaker.answered();
    };
    const answer = (failure: string, text: string): void => {
      end();
      this.#around.send(ToThread.stated, id, failure, text);
    };
    return { claimant: this.#claimant, answer, end };
  }

  /** Call it when the thread is gone. */
  end(): void {
    if (this.#claimant > 0) this.#around.owner.abandoned(this.#claimant);
  }
}
