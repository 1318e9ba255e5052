/**
 * The session of a connection, with what the library leaves out: messages as bytes of a bounded number, transactions, and
 * outcomes that are each sent for themselves.
 */
import {
  described,
  field,
  outcome,
  type Performative,
  type RheaConnection,
  type RheaDelivery,
  type RheaLink,
  type RheaSession,
  rhea,
  type Typed,
} from "./library.ts";

/** Deliveries that may wait for their outcome together; one that waits long holds back no others until then. */
const bufferSize = { incoming: 65_536, outgoing: 8192 };
/** A format that the library does not read: it hands over the bytes. */
const rawFormat = 1;

/** A message on its way to the broker. */
export interface Outgoing {
  /** Of the transaction that it is a part of. */
  readonly state: Typed | undefined;
  /** Called when it is written. */
  written(): void;
}

interface Incoming {
  readonly maxBytes: number;
  bytes: number;
}

export class AmqpSession {
  readonly session: RheaSession;
  readonly #outgoing = new Map<number, Outgoing>();
  readonly #incoming = new WeakMap<RheaLink, Incoming>();
  /** The names of transactions that the broker has begun, by the delivery that has asked for it. */
  readonly #declared = new Map<number, Uint8Array>();

  constructor(connection: RheaConnection) {
    this.session = connection.create_session(bufferSize);
    this.#sendStates();
    this.#receiveBytes();
    this.#receiveStates();
    this.session.begin();
  }

  /** Must be called in the turn in which the delivery was made. */
  sending({ id }: RheaDelivery, outgoing: Outgoing): void {
    this.#outgoing.set(id, outgoing);
  }

  /** The link's messages are bounded from here on. */
  bound(link: RheaLink, maxBytes: number): void {
    this.#incoming.set(link, { maxBytes, bytes: 0 });
  }

  /** Whether the message that has just arrived has more bytes than it may have; they are not kept then. */
  isTooLarge(link: RheaLink): boolean {
    const incoming = this.#incoming.get(link);
    if (incoming === undefined) return false;
    const tooLarge = incoming.bytes > incoming.maxBytes;
    incoming.bytes = 0;
    return tooLarge;
  }

  /** Sends the outcome of a message at once: the library would give the one of another message to it. */
  settle(delivery: RheaDelivery, state: Typed): void {
    delivery.update(true, state);
    this.session.incoming.process(this.session);
  }

  /** The name of the transaction that the broker has begun for a delivery. */
  takeDeclared({ id }: RheaDelivery): Uint8Array | undefined {
    const name = this.#declared.get(id);
    this.#declared.delete(id);
    return name;
  }

  #sendStates(): void {
    const { session } = this;
    const output = session.output.bind(session);
    session.output = (performative: Performative, payload) => {
      const id = deliveryIdOf(performative);
      const outgoing = id === undefined ? undefined : this.#outgoing.get(id);
      if (id !== undefined && outgoing !== undefined) {
        if (outgoing.state !== undefined) performative.value[field.transfer.state] = outgoing.state;
        const isLast = (performative as { readonly more?: boolean }).more !== true;
        if (isLast) {
          this.#outgoing.delete(id);
          outgoing.written();
        }
      }
      output(performative, payload);
    };
  }

  #receiveBytes(): void {
    const { session } = this;
    const receive = session.on_transfer.bind(session);
    session.on_transfer = (frame) => {
      const incoming = this.#incoming.get(session._get_link(frame));
      if (incoming !== undefined) {
        incoming.bytes += frame.payload?.length ?? 0;
        if (incoming.bytes > incoming.maxBytes) frame.payload = Buffer.alloc(0);
      }
      if ((frame.performative.message_format ?? 0) === 0) frame.performative.message_format = rawFormat;
      receive(frame);
    };
  }

  /** States of transactions are unknown to the library: it gets the outcome that they carry. */
  #receiveStates(): void {
    const { session } = this;
    const receive = session.on_disposition.bind(session);
    session.on_disposition = (frame) => {
      const { performative } = frame;
      const state = performative.value[field.disposition.state] as Typed | null | undefined;
      if (state === undefined || state === null) return receive(frame);
      const kind = state.descriptor?.value;
      if (kind === described.declared) {
        const [name] = state.value as readonly Typed[];
        const { first = 0, last = first } = performative;
        for (let id = first; id <= Math.min(last, first + bufferSize.outgoing); id++)
          this.#declared.set(id, name?.value as Uint8Array);
        performative.value[field.disposition.state] = outcome(described.accepted);
      } else if (kind === described.transactional) {
        const [, inner] = state.value as readonly Typed[];
        performative.value[field.disposition.state] =
          inner?.descriptor === undefined ? outcome(described.accepted) : inner;
      }
      receive(frame);
    };
  }
}

/** The id of the delivery that a performative transfers; undefined for another performative. */
function deliveryIdOf(performative: Performative): number | undefined {
  if (!("delivery_tag" in performative)) return undefined;
  const id = performative.value[field.transfer.deliveryId] as Typed | undefined;
  return typeof id?.value === "number" ? id.value : undefined;
}

export function stateIn(transaction: Uint8Array, ...inner: readonly Typed[]): Typed {
  return outcome(described.transactional, rhea.types.wrap_binary(transaction), ...inner);
}
