/** A connection to a broker: one session, its links, and what becomes of all of them when the connection is lost. */
import type { Limits } from "../../../shared/limits.ts";
import { after, unlessAborted } from "../../engine/waiting.ts";
import type {
  AmqpAddress,
  AmqpClient,
  AmqpDelivery,
  AmqpMessage,
  AmqpNode,
  AmqpReceiver,
  AmqpTransaction,
  ReceiverNeed,
  SendHow,
} from "../amqp-client.ts";
import { encodeMessage } from "./encode.ts";
import { connectionFailure } from "./failure.ts";
import type { RheaConnection } from "./library.ts";
import { attachReceiver, capabilityOf } from "./receiver.ts";
import { AmqpSender } from "./sender.ts";
import { AmqpSession, stateIn } from "./session.ts";
import { beginTransaction, namedTransaction, openCoordinator } from "./transaction.ts";

/** Links to addresses that are kept open; messages may name any number. */
const mostSenders = 64;
const closeMs = 1500;

export interface AddressPrefixes {
  readonly queue: string;
  readonly topic: string;
}

export class BrokerClient implements AmqpClient {
  readonly #connection: RheaConnection;
  readonly #session: AmqpSession;
  readonly #prefixes: AddressPrefixes;
  readonly #attachMs: number;
  readonly #lost = new AbortController();
  readonly #senders = new Map<string, AmqpSender>();
  readonly #receivers = new Set<(error: Error) => void>();
  #coordinator: AmqpSender | undefined;
  #closing = false;
  #links = 0;

  constructor(connection: RheaConnection, prefixes: AddressPrefixes, limits: Limits) {
    this.#connection = connection;
    this.#prefixes = prefixes;
    this.#attachMs = limits.outboundConnectMs;
    this.#session = new AmqpSession(connection);
    this.#session.session.on("session_error", () => {});
    this.#session.session.on("session_close", () =>
      this.lose(connectionFailure("the broker has ended the session", sessionError(this.#session))),
    );
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  get connection(): RheaConnection {
    return this.#connection;
  }

  get isClosing(): boolean {
    return this.#closing;
  }

  addressOf({ type, name }: AmqpNode): string {
    if (type === "queue") return `${this.#prefixes.queue}${name}`;
    return type === "topic" ? `${this.#prefixes.topic}${name}` : name;
  }

  async send(to: AmqpNode | AmqpAddress, message: AmqpMessage, how: SendHow): Promise<void> {
    const { signal, transaction, enqueued } = how;
    this.#lost.signal.throwIfAborted();
    const bytes = encodeMessage(message);
    const state = transaction === undefined ? undefined : stateIn(namedTransaction(transaction));
    await this.#senderTo(to).send(bytes, state, signal, enqueued);
  }

  async receive(
    need: ReceiverNeed,
    take: (delivery: AmqpDelivery) => void,
    ended: (error: Error) => void,
  ): Promise<AmqpReceiver> {
    this.#lost.signal.throwIfAborted();
    const address = need.node === undefined ? undefined : this.#sourceOf(need.node, need.subscription);
    let fail = (_error: Error): void => {};
    const attaching = attachReceiver(
      this.#session,
      address,
      need,
      {
        take,
        ended,
        over: () => this.#receivers.delete(fail),
      },
      this.#attachMs,
    );
    const attached = await unlessAborted(attaching, this.#lost.signal);
    fail = attached.fail;
    this.#receivers.add(fail);
    return attached.receiver;
  }

  async begin(signal: AbortSignal): Promise<AmqpTransaction> {
    this.#lost.signal.throwIfAborted();
    this.#coordinator ??= new AmqpSender(
      this.#session,
      openCoordinator(this.#session, this.#linkName("transactions")),
      "the coordinator of transactions",
      () => {
        this.#coordinator = undefined;
      },
    );
    return await beginTransaction(this.#session, this.#coordinator, signal);
  }

  /** The connection is lost: all that wait fail. */
  lose(error: Error): void {
    if (this.#lost.signal.aborted) return;
    this.#lost.abort(error);
    for (const sender of this.#senders.values()) sender.fail(error);
    this.#coordinator?.fail(error);
    for (const fail of this.#receivers) fail(error);
    this.#receivers.clear();
    this.#senders.clear();
  }

  async close(): Promise<void> {
    if (this.#lost.signal.aborted) return;
    this.#closing = true;
    await new Promise<void>((resolve) => {
      const cancel = after(closeMs, resolve);
      const done = (): void => {
        cancel();
        resolve();
      };
      this.#connection.once("connection_close", done);
      this.#connection.once("disconnected", done);
      this.#connection.close();
    });
    this.lose(connectionFailure("the connection was closed"));
  }

  /** A subscription is a queue below its topic, which Artemis alone has an address for. */
  #sourceOf(node: AmqpNode, subscription: string | undefined): string {
    const address = this.addressOf(node);
    if (subscription === undefined) return address;
    const product = String(this.#connection.properties?.["product"] ?? "this broker");
    if (product !== "apache-activemq-artemis")
      throw new Error(`messages of a topic's subscription can be looked at in Artemis alone, and this is ${product}`);
    return `${address}::${subscription}`;
  }

  #senderTo(to: AmqpNode | AmqpAddress): AmqpSender {
    const address = "address" in to ? to.address : this.addressOf(to);
    const key = `${to.type} ${address}`;
    const present = this.#senders.get(key);
    if (present !== undefined) {
      // The one that was used last stands last.
      this.#senders.delete(key);
      this.#senders.set(key, present);
      return present;
    }
    this.#makeRoom();
    const link = this.#session.session.open_sender({
      name: this.#linkName("to"),
      treat_modified_as_released: false,
      snd_settle_mode: 0,
      source: { address },
      target: { address, capabilities: [capabilityOf[to.type]] },
    });
    const sender = new AmqpSender(this.#session, link, address, () => {
      if (this.#senders.get(key) === sender) this.#senders.delete(key);
    });
    this.#senders.set(key, sender);
    return sender;
  }

  #makeRoom(): void {
    for (const [key, sender] of this.#senders) {
      if (this.#senders.size < mostSenders) return;
      if (!sender.isIdle) continue;
      this.#senders.delete(key);
      sender.close();
    }
  }

  #linkName(what: string): string {
    this.#links += 1;
    return `${what}-${this.#links}`;
  }
}

function sessionError({ session }: AmqpSession): Error | undefined {
  const { condition, description } = session.error ?? {};
  return condition === undefined ? undefined : new Error(`${description ?? ""} (${condition})`);
}
