/** Opens connections to Kafka. */
import type { ConnectionDriver } from "../../engine/connections/connection.ts";
import { KafkaClient } from "./client.ts";
import { kafkaFailure } from "./failure.ts";

export const driver: ConnectionDriver<KafkaClient> = {
  async open(settings, { signal, limits }) {
    const client = new KafkaClient(settings, limits);
    const giveUp = (): void => void client.close().catch(() => {});
    signal.addEventListener("abort", giveUp, { once: true });
    try {
      await client.cluster.metadata([]);
      return client;
    } catch (error) {
      giveUp();
      throw kafkaFailure(settings.servers.map(({ host, port }) => `${host}:${port}`).join(", "), error);
    } finally {
      signal.removeEventListener("abort", giveUp);
    }
  },
  close: (client) => client.close(),
  async probe({ cluster }) {
    const { id, brokers } = await cluster.metadata([], { fresh: true });
    return {
      serverVersion: `Kafka cluster ${id}, ${brokers.size} ${brokers.size === 1 ? "broker" : "brokers"}`,
      tls: cluster.tls(),
    };
  },
};
