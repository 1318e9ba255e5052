/** Receives messages from one address: exactly as many as were asked for. */
import { exceptionMessage } from "../../engine/exception.ts";
import { after } from "../../engine/waiting.ts";
import type { AmqpDelivery, AmqpReceiver, ReceiverNeed, Settlement } from "../amqp-client.ts";
import { decodeMessage } from "./decode.ts";
import { brokerFailure } from "./failure.ts";
import {
  described,
  outcome,
  type RheaContext,
  type RheaDelivery,
  type RheaReceiver,
  rhea,
  type Typed,
} from "./library.ts";
import { type AmqpSession, stateIn } from "./session.ts";
import { namedTransaction } from "./transaction.ts";

/** How long the broker may take to take back what was asked for. */
const drainMs = 2000;

interface Handlers {
  take(delivery: AmqpDelivery): void;
  /** The broker has ended the link, or the connection is lost. */
  ended(error: Error): void;
  /** The link has ended, whoever ended it. */
  over(): void;
}

interface Attached {
  readonly receiver: AmqpReceiver;
  /** The connection is lost. */
  fail(error: Error): void;
}

const settlements: Readonly<Record<Settlement, () => Typed>> = {
  accept: () => outcome(described.accepted),
  release: () => outcome(described.released),
  reject: () => outcome(described.rejected),
  failed: () => outcome(described.modified, true, false),
};

/** Resolves when the broker has attached the link; `lost` is then on the caller. `withinMs`: how long that may take. */
export function attachReceiver(
  session: AmqpSession,
  address: string | undefined,
  need: ReceiverNeed,
  handlers: Handlers,
  withinMs: number,
): Promise<Attached> {
  const link = session.session.open_receiver(linkOptions(address, need));
  const name = address ?? "a temporary queue";
  session.bound(link, need.maxBytes);
  return new Promise((resolve, reject) => {
    let attached = false;
    let over = false;
    const late = after(withinMs, () => fail(new Error(`the broker has not attached '${name}' within ${withinMs} ms`)));
    const fail = (error: Error): void => {
      late();
      if (over) return;
      over = true;
      handlers.over();
      if (attached) handlers.ended(error);
      else reject(error);
    };
    const receiver = new Receiver(session, link, need.durable === true, {
      get isOver() {
        return over;
      },
      closed() {
        over = true;
        handlers.over();
      },
    });
    link.on("receiver_error", () => {});
    link.on("receiver_close", () => fail(brokerFailure(`the broker does not deliver from '${name}'`, link.error)));
    link.on("message", (context: RheaContext) => receiver.arrived(context, handlers.take));
    link.on("receiver_open", () => {
      // A link that is refused is attached without a source, and ended then.
      if (link.source?.address === undefined || over) return;
      attached = true;
      late();
      resolve({ receiver, fail });
    });
  });
}

interface LinkLife {
  /** true: nothing can be settled any more. */
  readonly isOver: boolean;
  closed(): void;
}

class Receiver implements AmqpReceiver {
  readonly #session: AmqpSession;
  readonly #link: RheaReceiver;
  readonly #stays: boolean;
  readonly #life: LinkLife;

  /** `stays`: the subscription outlasts the link. */
  constructor(session: AmqpSession, link: RheaReceiver, stays: boolean, life: LinkLife) {
    this.#session = session;
    this.#link = link;
    this.#stays = stays;
    this.#life = life;
  }

  get address(): string {
    return this.#link.source?.address ?? "";
  }

  get browses(): boolean {
    return String(this.#link.source?.distribution_mode) === "copy";
  }

  request(messages: number): void {
    this.#link.drain = false;
    this.#link.add_credit(messages);
  }

  async drain(): Promise<boolean> {
    const link = this.#link;
    const isDone = (): boolean => link.credit === 0 || !link.is_open();
    if (isDone()) return true;
    const events = ["receiver_drained", "receiver_close", "message"];
    await new Promise<void>((resolve) => {
      const end = (): void => {
        cancel();
        for (const event of events) link.off(event, look);
        resolve();
      };
      const look = (): void => {
        if (isDone()) end();
      };
      const cancel = after(drainMs, end);
      for (const event of events) link.on(event, look);
      link.drain_credit();
    });
    link.drain = false;
    return isDone();
  }

  async close(): Promise<void> {
    this.#life.closed();
    const link = this.#link;
    if (!link.is_open()) return;
    await new Promise<void>((resolve) => {
      const cancel = after(drainMs, resolve);
      link.once("receiver_close", () => {
        cancel();
        resolve();
      });
      if (this.#stays) link.detach();
      else link.close();
    });
  }

  arrived({ delivery, message: bytes }: RheaContext, take: (delivery: AmqpDelivery) => void): void {
    const tooLarge = this.#session.isTooLarge(this.#link);
    if (delivery === undefined) return;
    take({
      ...(tooLarge
        ? {
            unreadable: new Error(
              "the message is larger than the limit messageBodyBytes. The broker moves it to a dead letter queue, and drops it where there is none",
            ),
          }
        : read(bytes)),
      bytes: tooLarge ? 0 : (bytes as Uint8Array).length,
      settle: (how) => this.#settle(delivery, settlements[how]()),
      acceptIn: (transaction) =>
        this.#settle(delivery, stateIn(namedTransaction(transaction), outcome(described.accepted))),
    });
  }

  #settle(delivery: RheaDelivery, state: Typed): void {
    if (this.#life.isOver || delivery.remote_settled || delivery.settled) return;
    this.#session.settle(delivery, state);
  }
}

function read(bytes: unknown): Pick<AmqpDelivery, "message" | "unreadable"> {
  try {
    return { message: decodeMessage(bytes as Uint8Array) };
  } catch (error) {
    return { unreadable: new Error(`the message is no message of AMQP 1.0: ${exceptionMessage(error)}`) };
  }
}

function linkOptions(address: string | undefined, need: ReceiverNeed): object {
  const { node, selector, durable = false, shared = false, name, noLocal = false, browses = false, priority } = need;
  const filter = {
    ...(selector !== undefined && { "jms-selector": rhea.types.wrap_described(selector, 0x468c00000004) }),
    ...(noLocal && { "no-local": rhea.types.wrap_described("NoLocalFilter{}", 0x468c00000003) }),
  };
  const capabilities = [
    capabilityOf[node?.type ?? "temp-queue"],
    ...(shared ? ["shared"] : []),
    ...(need.global === true ? ["global"] : []),
  ];
  const source =
    address === undefined
      ? {
          dynamic: true,
          durable: 0,
          expiry_policy: "session-end",
          dynamic_node_properties: { "lifetime-policy": rhea.types.wrap_described([], 0x2b) },
        }
      : {
          address,
          durable: durable ? 2 : 0,
          expiry_policy: durable ? "never" : "link-detach",
          ...(browses && { distribution_mode: "copy" }),
        };
  return {
    ...(name !== undefined && { name }),
    autoaccept: false,
    autosettle: false,
    credit_window: 0,
    snd_settle_mode: 0,
    rcv_settle_mode: 0,
    ...(priority !== undefined && { properties: { priority } }),
    source: {
      ...source,
      ...(Object.keys(filter).length > 0 && { filter }),
      outcomes: ["amqp:accepted:list", "amqp:rejected:list", "amqp:released:list", "amqp:modified:list"],
      capabilities,
    },
    target: {},
  };
}

export const capabilityOf = {
  queue: "queue",
  topic: "topic",
  "temp-queue": "temporary-queue",
  "temp-topic": "temporary-topic",
} as const;
