/** Consumes topics as a member of a group (Camel: KafkaConsumer 4.22). */
import type { KafkaClient } from "../../connectors/kafka/client.ts";
import { attendedSource } from "../../engine/attended/attended-source.ts";
import { bridging } from "../../engine/attended/consumer-options.ts";
import { exceptionMessage } from "../../engine/exception.ts";
import { compileRegex } from "../../engine/regex.ts";
import type { Source, SourceContext } from "../../engine/source.ts";
import { boundsOf } from "./committer.ts";
import { connectionOf } from "./connection.ts";
import { ConsumedMessages } from "./consumed-message.ts";
import { type Carried, KafkaInlet } from "./inlet.ts";
import { InstanceId } from "./instance-id.ts";
import { checkOrder } from "./key-order.ts";
import type { KafkaOptions } from "./options.ts";
import { peekRecords } from "./peek.ts";

/** Throws an Error that names the fault of the endpoint. */
export function kafkaSource(options: KafkaOptions, context: SourceContext): Source {
  checkOptions(options);
  const { window } = boundsOf(options);
  const { flowId, routeId, limits, log } = context;
  const topics = topicsOf(options);
  const messages = new ConsumedMessages(options, limits);
  const connection = connectionOf(options, context);
  const instance = new InstanceId(context);
  const groupId = options.groupId ?? `bulkhead-${flowId}-${routeId}`;
  const carried = new Map<string, Carried>();
  const sought = new Set<string>();
  const commitFailed = (error: unknown): void =>
    log("WARN", "kafka", `a position of '${routeId}' could not be committed, and will be: ${exceptionMessage(error)}`);
  return attendedSource(
    {
      // Its connections are those of one member.
      ...{ scheme: "kafka", word: "record", connection, ownsClient: true, waitsForOthers: true },
      // Partitions have one record under way each, and those that have ended a thread are run alone.
      aloneAfterLoss: false,
      credits: options.consumersCount * window,
      window,
      ordersKeys: options.orderedBy !== undefined,
      ...bridging(options),
      async open(client, opening) {
        if (opening.isFirst) sought.clear();
        const instanceId = options.groupInstanceId ?? (await instance.get());
        return await KafkaInlet.open(
          {
            ...{ client, options, messages, groupId, instanceId, carried, sought, commitFailed },
            topics: () => topics(client),
          },
          opening,
        );
      },
      async peek(limit) {
        const lease = await connection.lend(undefined, AbortSignal.timeout(limits.outboundTotalMs));
        const { client } = lease;
        try {
          return await peekRecords(client, { options, groupId, topics: await topics(client), messages }, limit);
        } catch (error) {
          throw client.failure(error);
        } finally {
          lease.release(true);
        }
      },
    },
    context,
  );
}

/** Throws an Error for options that contradict each other. */
function checkOptions(options: KafkaOptions): void {
  checkOrder(options);
  if (options.heartbeatIntervalMs * 3 > options.sessionTimeoutMs)
    throw new Error("heartbeatIntervalMs is at most a third of sessionTimeoutMs");
  if (options.groupRemoteAssignor !== undefined && options.groupProtocol === "classic")
    throw new Error("groupRemoteAssignor needs groupProtocol: consumer; write partitionAssignor");
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
