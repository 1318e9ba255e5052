/**
 * What a byte costs that reaches the port: for each kind of request its bytes, the bytes of its answer, and the CPU time of the main
 * thread, which serves everybody. One caller, one request after the other. `npm run bench -- door [requests] [part of a name]`
 */
import { table } from "../test/storms/support/table.ts";
import { webhook } from "../test/support/flows.ts";
import { Caller } from "./support/door-caller.ts";
import { apiKey, hookSecret, idpPolicy, type Kind, kinds } from "./support/door-requests.ts";
import { machine, report, round } from "./support/figures.ts";
import { putFlow, startRuntime, token } from "./support/server-process.ts";

const [requests = 100] = process.argv.slice(2, 3).map(Number);
const part = process.argv[3] ?? "";
const probe = new URL("support/main-probe.ts", import.meta.url).href;
// Else callers that fail to authenticate are soon answered 429, which costs less.
const failures = { LIMIT_AUTH_FAILURES_PER_MINUTE: "1000000" };
const runtime = await startRuntime({ BULKHEAD_SECRET_HOOK: hookSecret, ...failures }, ".", [probe]);
const port = Number(new URL(runtime.url).port);
const rows: (readonly (string | number)[])[] = [];

try {
  const echo = "setBody: { constant: here }";
  const filter = `filter: { simple: "\${headers} regex '(?s).*X-H8[0-9]=.*'", steps: [{ ${echo} }] }`;
  for (const id of ["open", "keyed", "signed", "tokens"]) await putFlow(runtime.url, id, webhook(id, echo));
  await putFlow(runtime.url, "parsing", webhook("parsing", "setBody: { simple: '${body[a]}' }"));
  await putFlow(runtime.url, "filtering", webhook("filtering", filter));
  await putFlow(runtime.url, "many", many());
  await policy("keyed", { apiKeys: [{ name: "shop", key: apiKey }] });
  const principals = { hook: { type: "hmac", scheme: "github", secretRef: "HOOK" } };
  await policy("signed", { principals, allow: ["hook"] });
  await policy("tokens", idpPolicy);
  for (const kind of kinds) if (kind.name.includes(part)) rows.push(await measure(kind));
} finally {
  await runtime.stop();
}

table(["request", "status", "bytes", "bytes answered", "main thread, ms", "ms a KiB"], rows);
report("door", { machine: machine(), requests, rows });

/** 200 routes, which the health report and the lists name, and one with a path. */
function many(): string {
  const routes = Array.from(
    { length: 200 },
    (_, i) => `- route: { id: r${i}, from: { uri: "direct:d${i}", steps: [{ log: x }] } }\n`,
  );
  const path =
    '- route: { id: p, from: { uri: "platform-http:/orders/{id}", steps: [{ setBody: { constant: here } }] } }\n';
  return routes.join("") + path;
}

async function policy(flow: string, document: object): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const answer = await fetch(`${runtime.url}/_api/auth/${flow}`, {
    method: "PUT",
    headers,
    body: JSON.stringify(document),
  });
  if (!answer.ok) throw new Error(`PUT of a policy: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

async function measure(kind: Kind): Promise<readonly (string | number)[]> {
  const caller = new Caller(port, kind);
  const count = kind.bytes.length > 100_000 ? Math.ceil(requests / 10) : requests;
  for (let i = 0; i < Math.ceil(count / 2); i++) await caller.ask();
  const before = await runtime.ask<number>("cpu");
  let answered = 0;
  for (let i = 0; i < count; i++) answered = await caller.ask();
  const ms = ((await runtime.ask<number>("cpu")) - before) / count;
  caller.close();
  const { name, bytes } = kind;
  const status = caller.status === kind.expect ? caller.status : `${caller.status}, not ${kind.expect}`;
  return [name, status, bytes.length, answered, round(ms, 3), round(ms / (bytes.length / 1024), 3)];
}
