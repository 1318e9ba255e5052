/** This thread's requests to the state store, over the line to control. */
import type { Frames } from "../shared/frame-shape.ts";
import { type FrameToControl, ToControl } from "../shared/frames-to-control.ts";
import { threadFields } from "../shared/frames-to-thread.ts";
import type { Outbox } from "../shared/outbox.ts";
import {
  type GroupAbout,
  type GroupOperation,
  type KeyOperation,
  mostAsked,
  type StateOperation,
  secretKey,
  stateKey,
  valueForm,
  valueFrom,
  valueProblem,
} from "../shared/state.ts";
import { FlowException } from "./engine/exception.ts";
import type { Exchange } from "./engine/exchange.ts";
import type { StatePort } from "./engine/flow-state.ts";
import type { Run } from "./engine/run.ts";

const { stated, grouped, forgotten } = threadFields;

interface Asked {
  resolve(answer: string | Uint8Array): void;
  reject(error: FlowException): void;
}

export class StateLine implements StatePort {
  readonly #outbox: Outbox<FrameToControl>;
  readonly #mask: (text: string) => string;
  #salt = "";
  readonly #asked = new Map<number, Asked>();
  /** Requests that are sent when others are answered. */
  readonly #waiting: (() => void)[] = [];
  readonly #forget = new Map<string, ((key: string | undefined) => void)[]>();
  #last = 0;

  /** `mask`: hides the flow's secrets in a text. */
  constructor(outbox: Outbox<FrameToControl>, mask: (text: string) => string) {
    this.#outbox = outbox;
    this.#mask = mask;
  }

  /** `salt`: what keys are digested with that hold a secret. */
  adopt(salt: string): void {
    this.#salt = salt;
  }

  keyOf(text: string): string {
    return this.#mask(text) === text ? stateKey(text) : secretKey(text, this.#salt);
  }

  ask(run: Run<Exchange> | undefined, operation: KeyOperation, name: string, key: string): Promise<string> {
    return this.#askState(run, operation, name, key);
  }

  async get(name: string, key: string): Promise<string | undefined> {
    return valueFrom(await this.#askState(undefined, "get", name, key));
  }

  async putIf(name: string, key: string, expected: string | undefined, value: string): Promise<string | undefined> {
    const problem = valueProblem(value);
    if (problem !== undefined) throw new Error(problem);
    return valueFrom(await this.#askState(undefined, "putIf", name, key, valueForm(expected), valueForm(value)));
  }

  async delete(name: string, key: string): Promise<void> {
    await this.#askState(undefined, "delete", name, key);
  }

  #askState(
    run: Run<Exchange> | undefined,
    operation: StateOperation,
    name: string,
    key: string,
    expected = "",
    value = "",
  ): Promise<string> {
    return this.#ask(run, (id, slot) =>
      this.#outbox.open().push(ToControl.state, id, slot, operation, name, key, expected, value),
    ) as Promise<string>;
  }

  askGroups(
    run: Run<Exchange> | undefined,
    operation: GroupOperation,
    name: string,
    about: Partial<GroupAbout>,
    message: Uint8Array | null = null,
  ): Promise<string | Uint8Array> {
    const text = JSON.stringify(about);
    return this.#ask(run, (id, slot) =>
      this.#outbox.open().push(ToControl.groups, id, slot, operation, name, text, message),
    );
  }

  #ask(run: Run<Exchange> | undefined, push: (id: number, slot: number) => void): Promise<string | Uint8Array> {
    return new Promise((resolve, reject) => {
      const send = (): void => {
        const id = ++this.#last;
        this.#asked.set(id, { resolve, reject });
        push(id, run === undefined || run.answered ? -1 : run.slot);
      };
      if (this.#asked.size < mostAsked) send();
      else this.#waiting.push(send);
    });
  }

  onForgotten(name: string, forget: (key: string | undefined) => void): void {
    this.#forget.set(name, [...(this.#forget.get(name) ?? []), forget]);
  }

  /** Passes on the `forgotten` frame that begins at this index. */
  forgotten(frames: Frames, at: number): void {
    const key = forgotten.key(frames, at);
    for (const forget of this.#forget.get(forgotten.name(frames, at)) ?? []) forget(key === "" ? undefined : key);
  }

  /** Takes the answer of the `stated` frame that begins at this index. */
  answered(frames: Frames, at: number): void {
    const asked = this.#take(stated.id(frames, at));
    if (asked === undefined) return;
    const failure = stated.failure(frames, at);
    const answer = stated.answer(frames, at);
    if (failure === "") asked.resolve(answer);
    else asked.reject(new FlowException(typeOf(failure), `${answer} (${failure})`));
  }

  /** Takes the messages of the `grouped` frame that begins at this index. */
  grouped(frames: Frames, at: number): void {
    this.#take(grouped.id(frames, at))?.resolve(grouped.messages(frames, at) as Uint8Array);
  }

  #take(id: number): Asked | undefined {
    const asked = this.#asked.get(id);
    if (asked === undefined) return undefined;
    this.#asked.delete(id);
    this.#waiting.shift()?.();
    return asked;
  }
}

/** Returns the class that an error handler knows the failure by. */
function typeOf(failure: string): string {
  if (failure === "limit") return "LimitExceededException";
  return failure === "disk_full" ? "java.io.IOException" : "org.apache.camel.RuntimeCamelException";
}
