/** A runtime with a connection to a real database, and flows that send statements to it. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { startTestApp, type TestApp, type TestAppOptions } from "../../support/start-app.ts";
import type { DatabaseServer } from "../database-server.ts";
import type { Database } from "../databases.ts";
import { connectionTo, putConnection } from "./connection-document.ts";

/** Returns what the last run of a route has failed with. */
export async function lastFailure(app: TestApp, routeId: string): Promise<string> {
  const [last] = (await (await app.api(`/runs?routeId=${routeId}&limit=1`)).json()) as readonly {
    readonly error?: { readonly message: string };
  }[];
  return last?.error?.message ?? "no failure";
}

export interface SqlApp {
  readonly app: TestApp;
  readonly server: DatabaseServer;
  /** Deploys the steps behind a webhook of the flow's name, and returns the answer to each body that is posted to it. */
  flow(id: string, steps: string, more?: string): Promise<(body?: unknown) => Promise<Answer>>;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly json: () => unknown;
}

/** Starts both; `db` is the default connection of all flows. */
export async function startSqlApp(t: TestContext, { start }: Database, options: TestAppOptions = {}): Promise<SqlApp> {
  const server = await start();
  t.after(() => server.close());
  return await appFor(t, server, options);
}

export async function appFor(t: TestContext, server: DatabaseServer, options: TestAppOptions = {}): Promise<SqlApp> {
  const app = await startTestApp(t, {
    ...options,
    secrets: { "_connections/DB": server.password, ...options.secrets },
  });
  await putConnection(app, "db", connectionTo(server, { default: true, flows: ["*"] }));
  return {
    app,
    server,
    async flow(id, steps, more = "") {
      const yaml = `- route: { id: ${id}, from: { uri: webhook, steps: [${steps.replaceAll(/\s*\n\s*/g, " ")}] } }\n${more}`;
      const answer = await app.put(id, yaml);
      assert.ok(answer.ok, await answer.text());
      return async (body = "") => {
        const given = await app.post(`/api/${id}`, typeof body === "string" ? body : JSON.stringify(body), {
          "Content-Type": typeof body === "string" ? "text/plain" : "application/json",
        });
        const text = await given.text();
        return { status: given.status, text, json: () => JSON.parse(text) as unknown };
      };
    },
  };
}
