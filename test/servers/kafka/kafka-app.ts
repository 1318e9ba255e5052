/** A broker of Kafka for a test, and a runtime whose default connection is this broker. */
import type { TestContext } from "node:test";
import { startTestApp, type TestApp, type TestAppOptions } from "../../support/start-app.ts";
import { putConnection } from "../sql/connection-document.ts";
import { KafkaTester } from "./kafka-client.ts";
import { kafkaConnection } from "./kafka-connector.ts";
import { type KafkaServer, startKafka } from "./kafka-server.ts";

/** Both are closed after the test. */
export async function startKafkaFor(t: TestContext): Promise<{ server: KafkaServer; tester: KafkaTester }> {
  const server = await startKafka();
  const tester = new KafkaTester(server.ports.plain);
  t.after(async () => {
    await tester.close();
    await server.close();
  });
  return { server, tester };
}

export async function startKafkaApp(
  t: TestContext,
  server: KafkaServer,
  options: TestAppOptions = {},
): Promise<TestApp> {
  const app = await startTestApp(t, { ...options, secrets: { "_connections/KAFKA": server.password } });
  await putConnection(app, "kafka", kafkaConnection(server.ports.sasl, { flows: ["*"], default: true }));
  return app;
}
