/** A connection to an MQTT broker, as components use it. */
import type { Socket } from "node:net";
import { Semaphore } from "../../engine/semaphore.ts";
import { abortWith, after, unlessAborted } from "../../engine/waiting.ts";
import { causeOf, type MqttVersion, mqttFailure } from "./failure.ts";
import type { Client, IConnackPacket, IPublishPacket } from "./library.ts";
import type { MqttMessage, Receiving, TakeMessage } from "./receiving.ts";

export type Qos = 0 | 1 | 2;
export type MqttProperties = NonNullable<IPublishPacket["properties"]>;

export interface Publication {
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly qos: Qos;
  readonly retain: boolean;
  /** Of MQTT 5. */
  readonly properties?: MqttProperties | undefined;
}

export interface SubscribeOptions {
  readonly qos: Qos;
  /** true: a message that is retained comes only if the session does not have the subscription yet. Of MQTT 5. */
  readonly retainedOnce: boolean;
}

const mostInFlight = 65_535;
/** How long the broker may take to close a connection that was ended. */
const goneMs = 1000;

export class BrokerClient {
  readonly version: MqttVersion;
  readonly clientId: string;
  readonly socket: Socket;
  readonly #client: Client;
  readonly #receiving: Receiving;
  readonly #connack: IConnackPacket;
  /** Publications that the broker has not confirmed yet. */
  readonly #places: Semaphore;
  readonly #ended = new AbortController();

  constructor(client: Client, socket: Socket, receiving: Receiving, connack: IConnackPacket, mostUnconfirmed?: number) {
    this.version = client.options.protocolVersion === 5 ? 5 : 4;
    this.clientId = connack.properties?.assignedClientIdentifier ?? client.options.clientId ?? "";
    this.socket = socket;
    this.#client = client;
    this.#receiving = receiving;
    this.#connack = connack;
    const { receiveMaximum = mostInFlight } = connack.properties ?? {};
    this.#places = new Semaphore(Math.min(receiveMaximum, mostUnconfirmed ?? mostInFlight));
  }

  /** true: the broker has kept the subscriptions and messages of the client id. */
  get isResumed(): boolean {
    return this.#connack.sessionPresent;
  }

  get isOpen(): boolean {
    return !this.#ended.signal.aborted && this.#client.connected;
  }

  /** true: it was closed, or has been lost. */
  get hasEnded(): boolean {
    return this.#ended.signal.aborted;
  }

  /** Called when the connection is over: those who wait fail with the reason. */
  end(reason: Error): void {
    this.#ended.abort(reason);
    this.#receiving.end();
  }

  /** Breaks the connection, so that the broker sends again what is not acknowledged. */
  drop(reason: Error): void {
    this.socket.destroy(reason);
  }

  /**
   * Resolves when the broker has confirmed the message: with the qos 1 by PUBACK, with 2 by PUBCOMP, with 0 when it is
   * written. Rejects with a FlowException when the broker refuses it, or when the connection is lost before, and with the
   * reason of `signal`; then it is not known whether the broker has it. `enqueued`: called when the message is with the library, behind all
   * that was published before.
   */
  async publish(message: Publication, signal: AbortSignal, enqueued = (): void => {}): Promise<void> {
    this.#check(message);
    const over = new AbortController();
    const unlink = [signal, this.#ended.signal].map((one) => abortWith(over, one));
    try {
      if (message.qos > 0 && !this.#places.tryTake()) await this.#places.take(over.signal);
      const sent = this.#send(message);
      enqueued();
      await unlessAborted(sent, over.signal);
    } catch (error) {
      signal.throwIfAborted();
      const { topic } = message;
      throw mqttFailure(this.version, `the message to '${topic}' was not confirmed: ${causeOf(error)}`, error);
    } finally {
      for (const end of unlink) end();
    }
  }

  #send({ topic, payload, qos, retain, properties }: Publication): Promise<void> {
    const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
    return new Promise((resolve, reject) => {
      this.#client.publish(topic, bytes, { qos, retain, ...(properties && { properties }) }, (error) => {
        if (qos > 0) this.#places.give();
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** What the broker has said that it does not take: it would end the connection. */
  #check({ topic, payload, qos, retain }: Publication): void {
    const { maximumQoS = 2, retainAvailable = true, maximumPacketSize } = this.#connack.properties ?? {};
    const refuse = (why: string): never => {
      throw mqttFailure(this.version, `the broker does not take the message to '${topic}': ${why}`);
    };
    if (qos > maximumQoS) refuse(`its highest quality of service is ${maximumQoS}, and the message has ${qos}`);
    if (retain && !retainAvailable) refuse("it retains no messages");
    if (maximumPacketSize !== undefined && payload.length + topic.length + 16 > maximumPacketSize)
      refuse(`its packets have at most ${maximumPacketSize} bytes, and the body has ${payload.length}`);
  }

  /** Resolves with the quality of service that the broker has granted. */
  async subscribe(filter: string, { qos, retainedOnce }: SubscribeOptions, signal: AbortSignal): Promise<number> {
    const granted = new Promise<number>((resolve, reject) => {
      const retained = this.version === 5 && retainedOnce ? { rh: 1 } : {};
      this.#client.subscribe(filter, { qos, ...retained }, (error, grants = []) => {
        const [grant] = grants;
        if (error !== null) reject(error);
        else resolve(grant?.qos ?? qos);
      });
    });
    try {
      return await unlessAborted(granted, AbortSignal.any([signal, this.#ended.signal]));
    } catch (error) {
      signal.throwIfAborted();
      const why = causeOf(error).replace(/^Subscribe error: $/, "it gives no reason");
      throw mqttFailure(this.version, `the broker refuses the subscription to '${filter}': ${why}`, error);
    }
  }

  /** Gives each message to `take`, in their order, from the first that the broker has sent; the next one when it resolves. */
  receive(take: TakeMessage): void {
    this.#receiving.begin(take);
  }

  /** Acknowledges a message. Returns false when the connection is over: the broker sends it again then. */
  acknowledge(message: MqttMessage): boolean {
    if (!this.isOpen) return false;
    this.#receiving.acknowledge(message);
    return true;
  }

  /** Takes the ids of messages of qos 2 whose receipt the broker has not confirmed yet from the connection before. */
  resume(received: ReadonlySet<number>): void {
    if (this.isResumed) for (const id of received) this.#receiving.received.add(id);
  }

  get received(): ReadonlySet<number> {
    return this.#receiving.received;
  }

  /** Resolves when the broker knows that the client has gone, so that it does not send its will. */
  async close(): Promise<void> {
    if (!this.isOpen) return void this.socket.destroy();
    const gone = new Promise<void>((resolve) => this.socket.once("close", () => resolve()));
    this.end(new Error("the client was closed"));
    // What is not confirmed yet is not waited for: those who wait have been notified.
    this.#client.outgoing = {};
    this.#client.end();
    // The end of the connection is not seen behind messages that nobody reads.
    this.socket.unpipe();
    this.socket.resume();
    const late = after(goneMs, () => this.socket.destroy());
    await gone;
    late();
  }
}
