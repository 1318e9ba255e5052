/** Consumes topics as a member of a group (Camel: KafkaConsumer 4.22), and comes back when the cluster was lost. */

import type { KafkaClient } from "../../connectors/kafka/client.ts";
import { rest } from "../../connectors/kafka/group.ts";
import { BackOff } from "../../engine/connections/back-off.ts";
import { Deliveries } from "../../engine/deliveries.ts";
import { exceptionMessage } from "../../engine/exception.ts";
import { compileRegex } from "../../engine/regex.ts";
import type { Offer, PeekedMessage, Source, SourceContext } from "../../engine/source.ts";
import { connectionOf, type KafkaConnection } from "./connection.ts";
import { ConsumedMessages } from "./consumed-message.ts";
import { InstanceId } from "./instance-id.ts";
import type { KafkaOptions } from "./options.ts";
import { peekRecords } from "./peek.ts";
import { type Carried, Session } from "./session.ts";

/** Throws an Error that names the fault of the endpoint. */
export function kafkaSource(options: KafkaOptions, context: SourceContext): Source {
  const consumer = new Consumer(options, context);
  let ending: AbortController | undefined;
  let running: Promise<void> = Promise.resolve();
  const end = (): Promise<void> => {
    ending?.abort();
    ending = undefined;
    return running;
  };
  return {
    credits: options.consumersCount,
    start(offer) {
      if (ending !== undefined) return;
      ending = new AbortController();
      const { signal } = ending;
      running = running.then(() => consumer.run(offer, signal));
    },
    pause() {
      void end();
    },
    stop: end,
    peek: (limit) => consumer.peek(limit),
  };
}

class Consumer {
  readonly #options: KafkaOptions;
  readonly #context: SourceContext;
  readonly #connection: KafkaConnection;
  readonly #messages: ConsumedMessages;
  readonly #deliveries: Deliveries;
  readonly #instance: InstanceId;
  readonly #backOff: BackOff;
  readonly #topics: (client: KafkaClient) => Promise<readonly string[]>;
  readonly #carried = new Map<string, Carried>();

  constructor(options: KafkaOptions, context: SourceContext) {
    this.#options = options;
    this.#context = context;
    this.#topics = topicsOf(options);
    if (options.heartbeatIntervalMs * 3 > options.sessionTimeoutMs)
      throw new Error("heartbeatIntervalMs is at most a third of sessionTimeoutMs");
    if (options.groupRemoteAssignor !== undefined && options.groupProtocol === "classic")
      throw new Error("groupRemoteAssignor needs groupProtocol: consumer; write partitionAssignor");
    this.#messages = new ConsumedMessages(options, context.limits);
    this.#connection = connectionOf(options, context);
    this.#deliveries = new Deliveries(context, { scheme: "kafka", word: "record" });
    this.#instance = new InstanceId(context);
    this.#backOff = new BackOff(context.limits.connectionRetryMs);
  }

  /** Resolves when it has left the group after `stop`. Does not reject. */
  async run(offer: Offer, stop: AbortSignal): Promise<void> {
    const { report } = this.#context;
    const sought = new Set<string>();
    while (!stop.aborted) {
      report.polls();
      try {
        await this.#session(offer, stop, sought);
      } catch (error) {
        if (stop.aborted) break;
        this.#backOff.failed();
        report.failed(error, this.#backOff.waitMs);
        if (this.#options.bridgeErrorHandler) await offer({ body: null, failed: { error }, keeps: false });
        await rest(this.#backOff.waitMs, stop);
      }
    }
    report.backlog(undefined);
    await this.#deliveries.end();
  }

  /** Looks at the next records over connections of its own. */
  async peek(limit: number): Promise<readonly PeekedMessage[]> {
    const lease = await this.#connection.lend(undefined, AbortSignal.timeout(this.#context.limits.outboundTotalMs));
    const { client } = lease;
    try {
      const topics = await this.#topics(client);
      const parts = { options: this.#options, groupId: this.#groupId, topics, messages: this.#messages };
      return await peekRecords(client, parts, limit);
    } catch (error) {
      throw client.failure(error);
    } finally {
      lease.release(true);
    }
  }

  get #groupId(): string {
    const { flowId, routeId } = this.#context;
    return this.#options.groupId ?? `bulkhead-${flowId}-${routeId}`;
  }

  async #session(offer: Offer, stop: AbortSignal, sought: Set<string>): Promise<void> {
    const { report, routeId, log } = this.#context;
    const instanceId = this.#options.groupInstanceId ?? (await this.#instance.get());
    const lease = await this.#connection.lend(undefined, stop);
    const { client } = lease;
    try {
      const session = new Session({
        ...{ client, offer, sought, instanceId },
        options: this.#options,
        messages: this.#messages,
        deliveries: this.#deliveries,
        carried: this.#carried,
        groupId: this.#groupId,
        topics: () => this.#topics(client),
        joined: () => {
          this.#backOff.succeeded();
          report.polled(undefined);
        },
        backlog: report.backlog,
        commitFailed: (error) =>
          log(
            "WARN",
            "kafka",
            `a position of '${routeId}' could not be committed, and will be: ${exceptionMessage(error)}`,
          ),
      });
      // Changed settings are taken by a member that joins anew.
      await session.run(AbortSignal.any([stop, lease.ended]));
    } catch (error) {
      throw client.failure(error);
    } finally {
      // Its connections are those of one member.
      lease.release(true);
    }
  }
}

function topicsOf({ topic, topicIsPattern }: KafkaOptions): (client: KafkaClient) => Promise<readonly string[]> {
  if (topicIsPattern) {
    const pattern = compileRegex(`^(?:${topic})$`);
    return async (client) => (await client.topics()).filter((name) => pattern.matches(name)).sort();
  }
  const names = topic.split(",").map((name) => name.trim());
  const wrong = names.find((name) => !/^[\w.-]{1,249}$/.test(name));
  if (wrong !== undefined) throw new Error(`'${wrong}' is no name of a topic: letters, digits, '.', '_' and '-'`);
  return () => Promise.resolve(names);
}
