/** A runtime with a connection to a real broker. */
import { type TestContext, test } from "node:test";
import { startTestApp, type TestApp, type TestAppOptions } from "../../support/start-app.ts";
import { missing } from "../missing.ts";
import { putConnection } from "../sql/connection-document.ts";
import { type Broker, startMosquitto } from "./mosquitto.ts";

/** As `test`; left out where the broker cannot be had. */
export function brokerTest(name: string, run: (t: TestContext) => Promise<void>): void {
  test(name, { skip: missing("Mosquitto") }, (t) => run(t as TestContext));
}

/** The document of a connection to the broker. */
export function connectionTo(
  { host, port, username }: Broker,
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return { kind: "mqtt", servers: [`${host}:${port}`], username, passwordRef: "BROKER", flows: ["*"], ...more };
}

export interface MqttApp {
  readonly app: TestApp;
  readonly broker: Broker;
}

/** Starts both; `broker` is the default connection of all flows. */
export async function startMqttApp(
  t: TestContext,
  options: TestAppOptions = {},
  settings: readonly string[] = [],
): Promise<MqttApp> {
  const broker = await startMosquitto(settings);
  t.after(() => broker.close());
  const secrets = { "_connections/BROKER": broker.password, ...options.secrets };
  const app = await startTestApp(t, { ...options, secrets });
  await putConnection(app, "broker", connectionTo(broker, { default: true }));
  return { app, broker };
}
