/** A runtime with a connection to Artemis, and flows that send and consume. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { AmqpClient, AmqpMessage, AmqpNode } from "../../../src/workers/connectors/amqp-client.ts";
import { after, eventually, hanging } from "../../support/clock.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "../../support/start-app.ts";
import { putConnection } from "../sql/connection-document.ts";
import { connectionTo, openClient } from "./amqp-connector.ts";
import { type Artemis, startArtemis } from "./artemis.ts";

export interface AmqpApp {
  readonly app: TestApp;
  readonly server: Artemis;
  readonly client: AmqpClient;
  /** Deploys routes. Fails when they are refused. */
  deploy(id: string, yaml: string): Promise<void>;
  /** Deploys the steps behind a webhook of the flow's name; returns what posts a body to it. */
  flow(id: string, steps: string): Promise<(body?: unknown, headers?: Record<string, string>) => Promise<Answer>>;
  /** Takes the next message of a queue or topic, and accepts it. */
  take(queue: string, node?: Partial<AmqpNode>): Promise<AmqpMessage>;
  /** Sends a text, or a message, to a queue. */
  send(queue: string, message: string | AmqpMessage, node?: Partial<AmqpNode>): Promise<void>;
  /** What the last run of a route has failed with. */
  lastFailure(routeId: string): Promise<{ readonly type: string; readonly message: string } | undefined>;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

const waitMs = 30_000;

/** Starts both; `mq` is the default connection of all flows. */
export async function startAmqpApp(t: TestContext, options: TestAppOptions = {}, attempts = 10): Promise<AmqpApp> {
  const server = await startArtemis({ attempts });
  t.after(() => server.close());
  const secrets = { "_connections/MQ": server.password, "_shared/MQ_PASSWORD": server.password };
  const app = await startTestApp(t, { egressAllow: `127.0.0.1:${server.ports.amqp}`, ...options, secrets });
  await putConnection(app, "mq", connectionTo(server, { default: true, flows: ["*"] }));
  const client = await openClient(server);
  t.after(() => client.close());
  const deploy = async (id: string, yaml: string): Promise<void> => {
    const answer = await app.put(id, yaml);
    assert.ok(answer.ok, await answer.text());
  };
  return {
    ...{ app, server, client, deploy },
    async flow(id, steps) {
      await deploy(id, `- route: { id: ${id}, from: { uri: webhook, steps: [${steps}] } }\n`);
      return async (body = "", headers = {}) => {
        const isText = typeof body === "string";
        const given = await app.post(`/api/${id}`, isText ? body : JSON.stringify(body), {
          "Content-Type": isText ? "text/plain" : "application/json",
          ...headers,
        });
        return { status: given.status, text: await given.text() };
      };
    },
    async take(queue, node = {}) {
      const arrived = Promise.withResolvers<AmqpMessage>();
      const receiver = await client.receive(
        { node: { type: "queue", name: queue, ...node }, maxBytes: 1_000_000 },
        (delivery) => {
          delivery.settle("accept");
          if (delivery.message !== undefined) arrived.resolve(delivery.message);
        },
        () => {},
      );
      receiver.request(1);
      const stop = after(waitMs, () => arrived.reject(new Error(`no message has come to ${queue}`)));
      try {
        return await arrived.promise;
      } finally {
        stop();
        await receiver.close();
      }
    },
    async send(queue, message, node = {}) {
      const sent: AmqpMessage = typeof message === "string" ? { body: { section: "value", value: message } } : message;
      await client.send(
        { type: "queue", name: queue, ...node },
        { durable: true, ...sent },
        {
          signal: hanging(waitMs),
        },
      );
    },
    async lastFailure(routeId) {
      const [last] = (await (await app.api(`/runs?routeId=${routeId}&limit=1`)).json()) as readonly {
        readonly error?: { readonly type: string; readonly message: string };
      }[];
      return last?.error;
    },
  };
}

/** Waits for something that becomes true. */
export async function until(what: string, ready: () => Promise<boolean> | boolean): Promise<void> {
  await eventually(async () => ((await ready()) ? true : undefined), what, waitMs);
}
