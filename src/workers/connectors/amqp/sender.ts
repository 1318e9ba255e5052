/** Sends messages to one address. A message is handed to the library when the broker takes it, and never waits there. */
import type { BrokerError } from "./failure.ts";
import { brokerFailure } from "./failure.ts";
import type { RheaContext, RheaDelivery, RheaSender, Typed } from "./library.ts";
import type { AmqpSession } from "./session.ts";

interface Waiting {
  resolve(delivery: RheaDelivery): void;
  reject(error: unknown): void;
}

export class AmqpSender {
  readonly #session: AmqpSession;
  readonly #link: RheaSender;
  /** For messages. */
  readonly #name: string;
  /** Those that wait until the broker takes one more. */
  readonly #forCredit = new Set<() => void>();
  readonly #unanswered = new Map<number, Waiting>();
  /** Handed to the library, and not written yet. */
  #unwritten = 0;
  #ended: unknown;

  /** `ended`: called when the broker has ended the link. */
  constructor(session: AmqpSession, link: RheaSender, name: string, ended: () => void) {
    this.#session = session;
    this.#link = link;
    this.#name = name;
    link.on("sendable", () => this.#look());
    link.on("accepted", ({ delivery }: RheaContext) => this.#answer(delivery)?.resolve(delivery as RheaDelivery));
    for (const [event, what] of [
      ["rejected", "has refused the message"],
      ["released", "does not take the message now"],
      ["modified", "does not take the message now"],
    ] as const)
      link.on(event, ({ delivery }: RheaContext) => {
        const { error } = (delivery?.remote_state ?? {}) as { readonly error?: BrokerError };
        this.#answer(delivery)?.reject(brokerFailure(`the broker ${what} to '${name}'`, error));
      });
    link.on("sender_error", () => {});
    link.on("sender_close", () => {
      this.fail(brokerFailure(`the broker has ended the link to '${name}'`, link.error));
      ended();
    });
  }

  /** true: no message is on its way. */
  get isIdle(): boolean {
    return this.#unanswered.size === 0 && this.#forCredit.size === 0;
  }

  /**
   * Resolves when the broker has accepted the message. `state`: of its transaction; `enqueued`: called when the message is with the library,
   * behind all that was sent before.
   */
  async send(
    bytes: Buffer,
    state: Typed | undefined,
    signal: AbortSignal,
    enqueued = (): void => {},
  ): Promise<RheaDelivery> {
    await this.#credit(signal);
    return await new Promise((resolve, reject) => {
      const delivery = this.#link.send(bytes, undefined, 0);
      const abort = (): void => {
        this.#unanswered.delete(delivery.id);
        reject(signal.reason);
      };
      const over = (): void => signal.removeEventListener("abort", abort);
      this.#unwritten += 1;
      this.#session.sending(delivery, {
        state,
        written: () => {
          this.#unwritten -= 1;
        },
      });
      this.#unanswered.set(delivery.id, {
        resolve(answered) {
          over();
          resolve(answered);
        },
        reject(error) {
          over();
          reject(error);
        },
      });
      signal.addEventListener("abort", abort, { once: true });
      enqueued();
    });
  }

  close(): void {
    this.fail(new Error(`the link to '${this.#name}' was closed`));
    this.#link.close();
  }

  /** All messages that are on their way fail. */
  fail(error: unknown): void {
    this.#ended ??= error;
    for (const { reject } of [...this.#unanswered.values()]) reject(error);
    this.#unanswered.clear();
    this.#look();
  }

  async #credit(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#ended !== undefined) throw this.#ended;
      if (this.#link.sendable() && this.#link.credit > this.#unwritten) return;
      await new Promise<void>((resolve) => {
        const look = (): void => {
          this.#forCredit.delete(look);
          signal.removeEventListener("abort", look);
          resolve();
        };
        this.#forCredit.add(look);
        signal.addEventListener("abort", look, { once: true });
      });
    }
  }

  #look(): void {
    for (const look of [...this.#forCredit]) look();
  }

  #answer(delivery: RheaDelivery | undefined): Waiting | undefined {
    const waiting = this.#unanswered.get(delivery?.id ?? -1);
    this.#unanswered.delete(delivery?.id ?? -1);
    return waiting;
  }
}
