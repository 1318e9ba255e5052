/** Causes the errors of operations whose requests end while the runtime shuts down. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { TestContext } from "node:test";
import { CheckPool } from "../../../src/control/flows/check-pool.ts";
import { bundle } from "../../support/bundles.ts";
import { eventually } from "../../support/clock.ts";
import { webhook } from "../../support/flows.ts";
import { startTestApp, token } from "../../support/start-app.ts";
import { startProcess } from "../../support/start-process.ts";
import { parseAnswer } from "../http/raw.ts";
import type { Causes, Operation } from "./declared.ts";
import { furnish, requestOf, type Sound } from "./requests.ts";

export async function shutdownErrors(t: TestContext, causes: Causes): Promise<void> {
  const app = await startTestApp(t, { limits: { shutdownMs: 20_000 } });
  const requests = await furnish(app);
  const begun: (readonly [name: string, code: string, Unfinished])[] = [];
  for (const code of ["draining", "not_ready"]) {
    for (const operation of causes.declaring(code)) {
      if (Object.hasOwn(checked, operation.name)) continue;
      const sound = { ...requests[operation.name], ...(code === "not_ready" && { query: "probe=ready" }) };
      begun.push([operation.name, code, await Unfinished.begin(app.url, operation, sound)]);
    }
  }
  void app.app.close();
  await eventually(() => app.logs.some(({ message }) => message.startsWith("shutting down")), "it shuts down");
  for (const [name, code, unfinished] of begun) await causes.note(name, code, await unfinished.finish());
}

/** Requests that need a check thread, and would be answered without one if they asked for less. */
const checked: Readonly<Record<string, Sound>> = {
  validateFlow: {},
  getValueMapping: { headers: { Accept: "text/csv" } },
  testMessageMapping: {},
  testValueMapping: {},
  openTestSession: { body: { flowId: "orders", scope: "session", mocks: { write: { spy: true } } } },
  validateTestSession: { body: { flowId: "orders", mocks: { write: { spy: true } } } },
  closeTestSession: { body: { assertions: [{ mockCalled: { stepId: "write" } }] } },
  getCatalog: {},
  getFlowSchema: {},
  tryExpression: {},
};

/** The check threads have ended and requests are still under way: each operation is sent, and none answers with an undeclared error. */
export async function threadlessErrors(t: TestContext, causes: Causes): Promise<void> {
  const checks = new CheckPool(1, bundle("check-worker"));
  const app = await startTestApp(t, { limits: { shutdownMs: 20_000 }, checks });
  const requests = await furnish(app);
  const begun: (readonly [Operation, Unfinished])[] = [];
  for (const operation of causes.operations) {
    const sound = { ...requests[operation.name], ...checked[operation.name] };
    begun.push([operation, await Unfinished.begin(app.url, operation, sound)]);
  }
  void app.app.close();
  await eventually(() => app.logs.some(({ message }) => message.startsWith("shutting down")), "it shuts down");
  await checks.close();
  for (const [{ name, codes }, unfinished] of begun) {
    const answer = await unfinished.finish();
    const code = codes.includes("draining") ? "draining" : answer.headers.get("x-error-code");
    if (code !== null) await causes.note(name, code, answer);
  }
}

/** Check threads go when the time of the shutdown is over; the last answers have a little longer. */
export async function lateShutdownErrors(t: TestContext, causes: Causes): Promise<void> {
  const { child, url, lines } = await startProcess(t, { SERVICE_DEPLOY_TOKEN: token, LIMIT_SHUTDOWN_MS: "200" });
  const put = (path: string, type: string, body: string): Promise<Response> =>
    fetch(`${url}/_api/${path}`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": type },
      body,
    });
  await put("message-mappings/greeting", "application/json", '{"expression": "name"}');
  await put("flows/f", "application/yaml", webhook("r", 'log: "began"', "delay: { constant: 60000 }"));
  const call = fetch(`${url}/api/r`, { method: "POST" });
  await eventually(() => lines.some((line) => line.includes('"began"')), "the run began");
  const unfinished = await Unfinished.begin(url, causes.operation(trial), { id: "greeting", body: { input: {} } });
  child.kill("SIGTERM");
  // Its run is killed when the time is over.
  assert.equal((await call).status, 503);
  await causes.note(trial, "draining", await unfinished.finish());
}

const trial = "testMessageMapping";

/** A request whose head lacks its last byte. */
class Unfinished {
  readonly #socket: Socket;
  readonly #rest: string;

  private constructor(socket: Socket, rest: string) {
    this.#socket = socket;
    this.#rest = rest;
  }

  static async begin(url: string, operation: Operation, sound: Sound): Promise<Unfinished> {
    const { path, init } = requestOf(operation, sound, {});
    const body = typeof init.body === "string" ? init.body : "";
    const fields = {
      ...init.headers,
      Host: "localhost",
      Connection: "close",
      "Content-Length": Buffer.byteLength(body),
    };
    const head = [
      `${operation.method} ${path} HTTP/1.1`,
      ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
    ].join("\r\n");
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    await once(socket, "connect");
    socket.write(`${head}\r\n\r`);
    return new Unfinished(socket, `\n${body}`);
  }

  async finish(): Promise<Pick<Response, "status" | "headers" | "text">> {
    let text = "";
    this.#socket.setEncoding("latin1").on("data", (piece: string) => {
      text += piece;
    });
    this.#socket.on("error", () => {});
    this.#socket.write(this.#rest);
    await once(this.#socket, "close");
    const { status, headers, body } = parseAnswer(text);
    return { status, headers: new Headers(headers), text: async () => body };
  }
}
