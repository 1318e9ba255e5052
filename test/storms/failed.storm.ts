/**
 * SIGKILLs of the real server while webhooks that were answered 202 fail, messages end in a dead letter channel, and all that failed is
 * retried again and again. What was acknowledged must in the end have been taken by the server that the flows call; what was taken
 * twice is counted, and must be a message whose run a kill may have interrupted.
 * `npm run storm -- failed [kills] [seed]`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { epochMs, monotonicMs, pause } from "../support/clock.ts";
import { dice } from "./support/dice.ts";
import { FlakySink } from "./support/flaky-sink.ts";
import { loaded } from "./support/loaded.ts";
import { type Server, startServer } from "./support/server.ts";
import { table, verdict } from "./support/table.ts";

const kills = Number(process.argv[2] ?? 200);
const seed = Number(process.argv[3] ?? epochMs() % 1_000_000);
const clients = 6;
/** How long the last messages may take to be retried, once nothing fails any more. */
const settleMs = 120_000;

const roll = dice(seed);
let isFlaky = true;
const sink = new FlakySink(() => isFlaky && roll(2) === 0);
const port = await sink.listen();
const directory = await mkdtemp(join(tmpdir(), "bulkhead-failed-"));
const env = { EGRESS_ALLOW: `127.0.0.1:${port}`, LIMIT_FAILED_MESSAGES: "100000", LIMIT_SHUTDOWN_MS: "200" };
const send =
  `to: "http:127.0.0.1:${port}/in?id=\${body}&throwExceptionOnFailure=true&bridgeEndpoint=true&httpMethod=POST"`.replace(
    "to: ",
    "toD: ",
  );
const route = (id: string): string =>
  `- route:\n    id: ${id}\n    from:\n      uri: webhook\n      steps:\n        - ${send}\n`;
const channel =
  '- errorHandler:\n    deadLetterChannel: { deadLetterUri: "direct:buried", redeliveryPolicy: { maximumRedeliveries: 0 } }\n';
const buried =
  "- route:\n    id: buried\n    from:\n      uri: direct:buried\n      steps:\n        - setHeader: { name: CamelHttpResponseCode, constant: 200 }\n";
const acknowledged = new Set<string>();
/** Sent when the server was killed: nobody knows whether they were accepted. */
const cutOff = new Set<string>();
let sent = 0;
let retries = 0;
/** Messages of which a kill has interrupted a run, as the server says after its start. */
const interrupted = new Set<string>();

console.log(`seed ${seed}`);
let server: Server | undefined;
try {
  for (let round = 1; round <= kills; round++) {
    server = await boot(round === 1);
    const stop = { now: false };
    const storm = [
      ...Array.from({ length: clients }, (_, n) => client(server as Server, n % 3 === 2 ? "dead" : "async", stop)),
      retrying(server, stop),
    ];
    await pause(200 + roll(1500));
    const removed = server.remove();
    stop.now = true;
    await removed;
    await Promise.all(storm);
    if (round % 10 === 0) console.log(`${round} kills, ${acknowledged.size} acknowledged, ${sink.taken.size} taken`);
  }
  isFlaky = false;
  server = await boot(false);
  await settle(server);
  report(await waiting(server));
} finally {
  await server?.remove();
  sink.close();
  await rm(directory, { recursive: true, force: true });
}

async function boot(isFirst: boolean): Promise<Server> {
  const booted = await startServer({ directory, env });
  await loaded(booted.url);
  if (isFirst) {
    await booted.put("orders", route("async"));
    await booted.put("letters", channel + route("dead") + buried);
  } else {
    const list = (await (await booted.api("/failed?state=waiting&limit=500")).json()) as {
      runId: string;
      error: { type: string };
    }[];
    for (const { runId, error } of list) if (error.type === "RunLostException") interrupted.add(runId);
  }
  return booted;
}

async function client({ url }: Server, routeId: string, stop: { now: boolean }): Promise<void> {
  while (!stop.now) {
    sent += 1;
    const id = `${routeId}-${sent}`;
    const headers = { "Content-Type": "text/plain", ...(routeId === "async" && { Prefer: "respond-async" }) };
    try {
      const answer = await fetch(`${url}/api/${routeId}`, { method: "POST", headers, body: id });
      await answer.arrayBuffer();
      if (answer.ok) acknowledged.add(id);
      else console.log(`${id}: ${answer.status} ${answer.headers.get("x-error-code")}`);
    } catch {
      cutOff.add(id);
    }
  }
}

async function retrying(of: Server, stop: { now: boolean }): Promise<void> {
  while (!stop.now) {
    await pause(20);
    retries += await retryAll(of).catch(() => 0);
  }
}

async function retryAll({ api }: Server): Promise<number> {
  let count = 0;
  for (const flowId of ["orders", "letters"]) {
    const body = JSON.stringify({ flowId });
    const answer = await api("/failed/retry", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
    count += ((await answer.json()) as { count: number }).count;
  }
  return count;
}

async function waiting({ api }: Server): Promise<number> {
  let count = 0;
  for (const state of ["waiting", "retrying"])
    count += ((await (await api(`/failed?state=${state}&limit=500`)).json()) as unknown[]).length;
  return count;
}

async function settle(of: Server): Promise<void> {
  const until = monotonicMs() + settleMs;
  while ((await waiting(of)) > 0) {
    if (monotonicMs() > until) return;
    await retryAll(of);
    await pause(200);
  }
}

function report(left: number): void {
  const lost = [...acknowledged].filter((id) => !sink.taken.has(id));
  const doubled = [...sink.taken.values()].filter((times) => times > 1).length;
  const unknown = [...sink.taken.keys()].filter((id) => !acknowledged.has(id) && !cutOff.has(id)).length;
  table(
    ["", "", "bar"],
    [
      ["kills", kills, ""],
      ["acknowledged", acknowledged.size, ""],
      ["cut off", cutOff.size, ""],
      ["refused by the server they are sent to", sink.refused, ""],
      ["retries asked for", retries, ""],
      ["runs that a kill has interrupted, as listed", interrupted.size, ""],
      ["taken", sink.taken.size, ""],
      ["taken more than once", doubled, `at most ${interrupted.size}`],
      ["left waiting", left, 0],
      ["taken, and never sent", unknown, 0],
      ["acknowledged and lost", lost.length, 0],
    ],
  );
  if (lost.length > 0) console.log(`lost: ${lost.slice(0, 20).join(" ")}`);
  verdict(
    lost.length === 0 && left === 0 && unknown === 0 && doubled <= interrupted.size,
    `${acknowledged.size} acknowledged messages and ${kills} kills: ${lost.length} lost, ${doubled} taken more than once, seed ${seed}`,
  );
}
