/** A runtime with a connection to a real RabbitMQ, and flows that use it. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { startTestApp, type TestApp, type TestAppOptions } from "../../support/start-app.ts";
import { putConnection } from "../sql/connection-document.ts";
import { type Broker, connectionTo, startBroker } from "./broker.ts";

export interface RabbitApp {
  readonly app: TestApp;
  readonly broker: Broker;
  /** Deploys the steps behind a webhook of the flow's name; returns what posts a body to it. */
  flow(id: string, steps: string, more?: string): Promise<(body?: string) => Promise<Answer>>;
  /** Deploys a consumer. `from`: the endpoint in flow style. */
  consumer(id: string, from: string, steps: string, more?: string): Promise<void>;
  remove(id: string): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** What the run has failed with; "": it has not. */
  readonly failure: string;
}

export async function startRabbitApp(t: TestContext, options: TestAppOptions = {}): Promise<RabbitApp> {
  const broker = await startBroker();
  t.after(() => broker.close());
  const secrets = { "_connections/MQ": broker.server.password, ...options.secrets };
  const { host, port, tlsPort } = broker.server;
  const egressAllow = `${host}:${port},${host}:${tlsPort}`;
  const app = await startTestApp(t, { egressAllow, ...options, secrets });
  await putConnection(app, "mq", connectionTo(broker, { default: true, flows: ["*"] }));
  const put = async (id: string, yaml: string): Promise<void> => {
    const answer = await app.put(id, yaml.replaceAll(/\n {2,}/g, " "));
    assert.ok(answer.ok, await answer.text());
  };
  return {
    app,
    broker,
    async flow(id, steps, more = "") {
      await put(id, `- route: { id: ${id}, from: { uri: webhook, steps: [${steps}] } }\n${more}`);
      return async (body = "") => {
        const given = await app.post(`/api/${id}`, body, { "Content-Type": "text/plain" });
        const text = await given.text();
        return { status: given.status, text, failure: given.ok ? "" : await failureOf(app, id) };
      };
    },
    consumer: (id, from, steps, more = "") =>
      put(id, `${more}- route: { id: ${id}, from: { ${from}, steps: [${steps}] } }\n`),
    async remove(id) {
      await app.api(`/flows/${id}`, { method: "DELETE" });
    },
  };
}

/** Returns the class and the message that the last run of a route has failed with. */
async function failureOf(app: TestApp, routeId: string): Promise<string> {
  const [last] = (await (await app.api(`/runs?routeId=${routeId}&status=failed&limit=1`)).json()) as readonly {
    readonly error?: { readonly type: string; readonly message: string };
  }[];
  return last?.error === undefined ? "no failure" : `${last.error.type}: ${last.error.message}`;
}
