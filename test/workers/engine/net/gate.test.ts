/** The gate at the socket: whichever library opens a connection, and by whatever name, it leads where the rules say or nowhere. */
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { Worker } from "node:worker_threads";
import type { GatedOrder } from "../../../support/gated-worker.ts";
import { cert, key } from "../../../support/localhost-cert.ts";

const entry = new URL("../../../support/gated-worker.ts", import.meta.url);
const direct = ["net.connect with options", "net.connect with a port", "a socket that connects"];
const named = ["tls.connect with a server's name"];
const libraries = [...direct, "tls.connect", ...named, "http.get", "undici", "an endpoint's connection"];
/** Those that take a function that resolves names. */
const withLookup = ["net.connect with options", "a socket that connects", "tls.connect", ...named, "http.get"];

type Ports = Pick<GatedOrder, "port" | "securePort">;

interface Target {
  readonly ports: Ports;
  /** Connections that came. */
  count(): number;
}

async function startTarget(t: TestContext): Promise<Target> {
  let connections = 0;
  const listen = async (server: Server): Promise<number> => {
    server.on("connection", () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    t.after(() => server.close());
    t.after(() => server.closeAllConnections());
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(createServer((_, response) => response.end("here")));
  const securePort = await listen(createSecureServer({ cert, key }, (_, response) => response.end("here")));
  return { ports: { port, securePort }, count: () => connections };
}

function tried(order: GatedOrder): Promise<Readonly<Record<string, string>>> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(entry, { workerData: order });
    worker.once("message", resolve).once("error", reject);
  });
}

const cases: readonly (readonly [allow: (ports: Ports) => string, schemes: readonly string[], isOpen: boolean])[] = [
  [() => "", ["lines"], false],
  [() => "127.0.0.1", ["lines"], false],
  [() => "127.0.0.1:9", ["lines"], false],
  [({ port, securePort }) => `127.0.0.1:${port},127.0.0.1:${securePort}`, ["lines"], true],
  [({ port, securePort }) => `127.0.0.0/8:${port},127.0.0.0/8:${securePort}`, ["http", "lines"], true],
  [({ port, securePort }) => `lines/127.0.0.1:${port},lines/127.0.0.1:${securePort}`, ["lines"], true],
  [({ port, securePort }) => `lines/127.0.0.1:${port},lines/127.0.0.1:${securePort}`, ["others"], false],
  [({ port, securePort }) => `http/127.0.0.1:${port},http/127.0.0.1:${securePort}`, ["lines"], false],
];

for (const [allow, schemes, isOpen] of cases) {
  const shown = allow({ port: 1, securePort: 2 });
  test(`'${shown}' ${isOpen ? "opens" : "does not open"} each client's way for ${schemes}`, async (t) => {
    const { ports, count } = await startTarget(t);
    const outcomes = await tried({ ...ports, allow: allow(ports), schemes, host: "127.0.0.1" });
    for (const name of libraries) {
      const outcome = String(outcomes[name]);
      if (isOpen) assert.equal(outcome, "connected", name);
      else assert.match(outcome, /^EgressDeniedException: 127\.0\.0\.1:\d+ is not named/, name);
    }
    if (!isOpen) assert.equal(count(), 0);
    assert.match(String(outcomes["a Unix socket"]), /^EgressDeniedException: a Unix socket/);
  });
}

test("a name is asked for once, and what was judged is connected to, whatever the name means a moment later", async (t) => {
  const { ports, count } = await startTarget(t);
  const { port, securePort } = ports;
  const order = { ...ports, schemes: ["lines"], host: "names.example" };
  const allow = `127.0.0.1:${port},127.0.0.1:${securePort}`;
  const outcomes = await tried({ ...order, allow, answers: ["127.0.0.1", "127.0.0.2"] });
  for (const name of withLookup) assert.equal(outcomes[name], "connected", name);
  const before = count();
  const elsewhere = `127.0.0.2:${port},127.0.0.2:${securePort}`;
  const refused = await tried({ ...order, allow: elsewhere, answers: ["127.0.0.1", "127.0.0.2"] });
  for (const name of withLookup) {
    assert.match(String(refused[name]), /^EgressDeniedException: names\.example:\d+ is 127\.0\.0\.1 and that/, name);
  }
  assert.equal(count(), before);
});

test("a name that no rule can allow is not asked for", async (t) => {
  const { ports } = await startTarget(t);
  const outcomes = await tried({ ...ports, allow: "", schemes: ["lines"], host: "names.invalid" });
  for (const name of libraries) {
    assert.match(String(outcomes[name]), /^EgressDeniedException: names\.invalid:\d+ is not named/, name);
  }
});
