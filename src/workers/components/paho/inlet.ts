/** A subscription over one connection. Its client reads the next message when the runtime wants one. */
import { createHash } from "node:crypto";
import type { BrokerClient } from "../../connectors/mqtt/client.ts";
import type { MqttMessage } from "../../connectors/mqtt/receiving.ts";
import { Arrivals } from "../../engine/attended/arrivals.ts";
import type { Ended, Inlet, InletOpening, Taken } from "../../engine/attended/attended.ts";
import type { NewMessage, SourceContext } from "../../engine/source.ts";
import type { PahoOptions } from "./connection.ts";
import { newMessage } from "./message.ts";
import type { Unacknowledged, Unsettled } from "./unacknowledged.ts";

export interface InletParts {
  readonly options: PahoOptions;
  readonly context: SourceContext;
  readonly unacknowledged: Unacknowledged;
}

export class PahoInlet implements Inlet<PahoTaken> {
  readonly #parts: InletParts;
  readonly #client: BrokerClient;
  readonly #over: AbortSignal;
  readonly #arrivals = new Arrivals<PahoTaken>();
  #isCaughtUp = false;
  #isOpen = false;

  constructor(client: BrokerClient, parts: InletParts, { signal }: InletOpening) {
    this.#parts = parts;
    this.#client = client;
    this.#over = signal;
    parts.unacknowledged.begin(client);
    client.receive((message) => this.#receive(message));
  }

  /** The broker has answered the subscription. Until then what it sends is read at once: the answer stands behind it. */
  opened(): void {
    this.#isOpen = true;
  }

  take(most: number, stop: AbortSignal): Promise<readonly PahoTaken[]> {
    return this.#arrivals.take(most, stop);
  }

  settle(ended: readonly Ended<PahoTaken>[]): void {
    for (const { taken, outcome } of ended) taken.settle(outcome, this.#parts.unacknowledged);
  }

  async close(): Promise<void> {
    // What nobody has taken comes again.
    for (const taken of this.#arrivals.clear()) taken.settle("lost", this.#parts.unacknowledged);
    await this.#client.close();
  }

  /** The broker sends it again with the next connection. */
  giveBack({ redeliverable }: PahoTaken): void {
    if (redeliverable) this.#client.drop(new Error("a message was given back"));
  }

  /** The broker sends what was under way before all that is new. */
  caughtUp(): boolean {
    return this.#isCaughtUp;
  }

  /** Resolves when the next message may be read; never when no more are taken. */
  async #receive(message: MqttMessage): Promise<void> {
    if (!this.#over.aborted) {
      const { unacknowledged } = this.#parts;
      const unsettled = message.qos === 0 ? undefined : unacknowledged.take(message, this.#client);
      if (message.qos > 0 && unsettled === undefined) return;
      if (message.qos > 0 && !message.dup) this.#isCaughtUp = true;
      this.#arrivals.add(new PahoTaken(message, unsettled, this.#parts));
    }
    if (this.#isOpen || this.#over.aborted) await this.#arrivals.wanted(this.#over);
  }
}

export class PahoTaken implements Taken {
  readonly lane: object;
  readonly #message: MqttMessage;
  readonly #unsettled: Unsettled | undefined;
  readonly #parts: InletParts;

  /** `unsettled`: of qos 1 and 2. */
  constructor(message: MqttMessage, unsettled: Unsettled | undefined, parts: InletParts) {
    // The order of a session outlasts its connections.
    this.lane = parts.unacknowledged;
    this.#message = message;
    this.#unsettled = unsettled;
    this.#parts = parts;
  }

  message(): NewMessage {
    const { options, context } = this.#parts;
    return newMessage(this.#message, options.version, context.limits);
  }

  get bytes(): number {
    return this.#message.payload.length;
  }

  /** Messages have no name that outlasts a connection: equal ones are counted as one. */
  key(): string {
    const { topic, payload, qos, cutBytes = payload.length } = this.#message;
    return createHash("sha256").update(`${qos} ${topic} ${cutBytes}\0`).update(payload).digest("base64url");
  }

  get redelivered(): boolean {
    return this.#message.dup;
  }

  get deliveries(): 0 | undefined {
    return this.redeliverable ? undefined : 0;
  }

  get keeps(): boolean {
    return !this.#parts.options.manualAcksEnabled || !this.redeliverable;
  }

  /** Whether the broker sends it again when it is not acknowledged. */
  get redeliverable(): boolean {
    return this.#unsettled !== undefined;
  }

  /** A message that is left comes again with the next connection. */
  settle(outcome: Ended<PahoTaken>["outcome"], unacknowledged: Unacknowledged): void {
    if (this.#unsettled === undefined) return;
    const isLeft = outcome === "lost" || (outcome === "failed" && this.#parts.options.manualAcksEnabled);
    if (isLeft) unacknowledged.leave(this.#unsettled);
    else unacknowledged.settle(this.#unsettled);
  }
}
