/**
 * What a client receives. The library would acknowledge each message as it is read; here a message is acknowledged when
 * its run has ended, while further ones are read. One of qos 2 is taken over by PUBREC, and no earlier: what was received
 * and not taken over comes again after a loss of the thread.
 */
import { type Client, type IPublishPacket, sendAck } from "./library.ts";

export interface MqttMessage {
  readonly topic: string;
  readonly payload: Uint8Array;
  /** Present: the payload was too large to be read, and had so many bytes. */
  readonly cutBytes?: number | undefined;
  readonly qos: 0 | 1 | 2;
  /** true: it was retained, and comes since the client has subscribed. */
  readonly retain: boolean;
  /** true: the broker has sent it before, and it was not acknowledged. */
  readonly dup: boolean;
  /** Names it until it is acknowledged; 0 with qos 0. */
  readonly id: number;
  readonly properties: IPublishPacket["properties"];
}

/** Resolves when the next message may be read. Does not reject. */
export type TakeMessage = (message: MqttMessage) => Promise<void>;

/** Has the library go on without an acknowledgement. */
const later = new Error("it is acknowledged later");

export function isLater(error: unknown): boolean {
  return error === later;
}

export class Receiving {
  /** Of qos 2: taken over, while the broker may still send them again. */
  readonly received = new Set<number>();
  readonly #client: Client;
  readonly #cutBytes: (payload: Uint8Array) => number | undefined;
  readonly #begun = Promise.withResolvers<TakeMessage>();
  #pinging: NodeJS.Timeout | undefined;

  /** `cutBytes`: returns how many bytes a payload had that was cut. */
  constructor(client: Client, cutBytes: (payload: Uint8Array) => number | undefined) {
    this.#client = client;
    this.#cutBytes = cutBytes;
    client.handleMessage = (packet, done) => {
      void this.#take(packet).then(() => done(packet.qos === 0 ? undefined : later));
    };
    client.options.customHandleAcks = (_topic, _payload, packet: IPublishPacket, done) => {
      if (packet.qos !== 2) return done(0);
      void this.#takeOver(packet).then(() => done(later));
    };
    client.on("packetreceive", ({ cmd, messageId }) => {
      // The library answers it with PUBCOMP. A broker sends it as soon as it resumes the session. `received` gets the ids of the connection
      // before only when this client begins.
      if (cmd === "pubrel") void this.#begun.promise.then(() => this.received.delete(messageId ?? 0));
    });
  }

  begin(take: TakeMessage): void {
    this.#begun.resolve(take);
  }

  acknowledge({ qos, id }: MqttMessage): void {
    if (qos === 0) return;
    if (qos === 2) this.received.add(id);
    sendAck(this.#client, { cmd: qos === 1 ? "puback" : "pubrec", messageId: id, reasonCode: 0 });
  }

  end(): void {
    clearInterval(this.#pinging);
  }

  /** Takes a message of qos 2, or confirms it once more. */
  async #takeOver(packet: IPublishPacket): Promise<void> {
    await this.#begun.promise;
    // A broker that has crashed may have gone back to an earlier state of the session, and uses ids again for others.
    if (packet.dup && this.received.has(packet.messageId ?? 0))
      sendAck(this.#client, { cmd: "pubrec", messageId: packet.messageId ?? 0, reasonCode: 0 });
    else await this.#take(packet);
  }

  async #take({ topic, payload, qos, retain, dup, messageId = 0, properties }: IPublishPacket): Promise<void> {
    const bytes = typeof payload === "string" ? Buffer.from(payload) : payload;
    const take = await this.#begun.promise;
    this.#pingMeanwhile();
    const cutBytes = this.#cutBytes(bytes);
    const read = cutBytes === undefined ? new Uint8Array(bytes) : new Uint8Array();
    await take({ topic, payload: read, cutBytes, qos, retain, dup, id: messageId, properties });
    clearInterval(this.#pinging);
  }

  /** While nothing is read, answers to pings are not either: the library would take the broker for lost. */
  #pingMeanwhile(): void {
    const seconds = this.#client.keepalive ?? 0;
    if (seconds === 0) return;
    clearInterval(this.#pinging);
    this.#pinging = setInterval(() => {
      this.#client.sendPing();
      this.#client.reschedulePing(true);
    }, seconds * 500).unref();
  }
}
