/** Keeps a client subscribed: connects, and connects again after pauses that grow. */
import type { BrokerClient } from "../../connectors/mqtt/client.ts";
import { BackOff } from "../../engine/connections/back-off.ts";
import { ConnectionChanged, type Lease } from "../../engine/connections/connection.ts";
import { limitExceeded } from "../../engine/exception.ts";
import type { Offer, SourceContext } from "../../engine/source.ts";
import { wait } from "../../engine/waiting.ts";
import type { MqttConnection, PahoOptions } from "./connection.ts";
import { Intake } from "./intake.ts";

/** A connection that has lasted so long is a good one; two clients with one id part each other earlier. */
const steadyMs = 10_000;

export class Subscription {
  readonly #options: PahoOptions;
  readonly #context: SourceContext;
  readonly #connection: MqttConnection;
  readonly #intake: Intake;
  readonly #backOff: BackOff;
  /** The filter is in the session, as far as this thread knows. */
  #isSubscribed = false;
  #stopping = new AbortController();
  #served: Promise<void> = Promise.resolve();

  constructor(options: PahoOptions, context: SourceContext, connection: MqttConnection) {
    this.#options = options;
    this.#context = context;
    this.#connection = connection;
    this.#intake = new Intake(options, context);
    this.#backOff = new BackOff(options.maxReconnectDelay);
  }

  start(offer: Offer): void {
    const stopping = new AbortController();
    this.#stopping = stopping;
    // What a stop before this has left under way is settled first.
    this.#served = this.#served.then(() => this.#serve(offer, stopping.signal));
  }

  /** Resolves when all messages under way are settled and acknowledged, and the client has gone. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#served;
  }

  /** Does not reject. */
  async #serve(offer: Offer, stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      let since: number | undefined;
      this.#context.report.polls();
      try {
        await this.#connect(offer, stopped, () => {
          since = performance.now();
          this.#context.report.polled(undefined);
        });
      } catch (error) {
        if (stopped.aborted) break;
        if (since !== undefined && performance.now() - since > steadyMs) this.#backOff.succeeded();
        this.#backOff.failed();
        await this.#failed(error, offer, stopped);
      }
    }
    await this.#intake.rest();
  }

  async #failed(error: unknown, offer: Offer, stopped: AbortSignal): Promise<void> {
    const { waitMs } = this.#backOff;
    this.#context.report.failed(error, waitMs);
    if (this.#options.bridgeErrorHandler) await offer({ body: null, failed: { error }, keeps: false });
    await wait(waitMs, stopped).catch(() => {});
  }

  /** Resolves when the client has gone in order; rejects when it could not connect, or was lost. */
  async #connect(offer: Offer, stopped: AbortSignal, subscribed: () => void): Promise<void> {
    const lease = await this.#connection.lend(undefined, stopped);
    const { client } = lease;
    try {
      this.#intake.begin(client, offer, AbortSignal.any([stopped, lease.ended]));
      await this.#subscribe(client, stopped);
      subscribed();
      await this.#ended(lease, stopped);
      await this.#intake.settled();
    } finally {
      // Of a client that is lost nothing can be acknowledged any more.
      if (stopped.aborted) await this.#intake.settled();
      await client.close();
      lease.release(true);
    }
  }

  async #subscribe(client: BrokerClient, stopped: AbortSignal): Promise<void> {
    const { topic, qos, cleanStart, version } = this.#options;
    // The broker would send what is retained once more.
    if (this.#isSubscribed && client.isResumed) return;
    const ms = this.#context.limits.outboundTotalMs;
    const over = new AbortController();
    const late = limitExceeded("outboundTotalMs", `the broker answers a subscription within ${ms} ms`);
    const timer = setTimeout(() => over.abort(late), ms);
    try {
      const asked = qos === 0 || qos === 1 ? qos : 2;
      const signal = AbortSignal.any([stopped, over.signal]);
      const granted = await client.subscribe(topic, { qos: asked, retainedOnce: version === 5 && !cleanStart }, signal);
      if (granted < qos)
        this.#context.log(
          "WARN",
          this.#options.scheme,
          `the broker delivers '${topic}' with qos ${granted}, and not ${qos}`,
        );
      this.#isSubscribed = true;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Resolves when the flow ends or the connection has other settings; rejects when the client is lost. */
  #ended({ ended }: Lease<BrokerClient>, stopped: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        stopped.removeEventListener("abort", end);
        if (stopped.aborted || ended.reason instanceof ConnectionChanged) resolve();
        else reject(ended.reason);
      };
      if (stopped.aborted || ended.aborted) return end();
      stopped.addEventListener("abort", end, { once: true });
      ended.addEventListener("abort", end, { once: true });
    });
  }
}
