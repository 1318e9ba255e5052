/**
 * A thread whose sockets are guarded as those of a flow's thread, in which the project's client libraries try to reach
 * a server.
 */
import type { LookupFunction } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { parseEgressAllow } from "../../src/shared/egress.ts";
import { openConnection } from "../../src/workers/engine/net/connection.ts";
import { guardSockets, judgeConnections } from "../../src/workers/engine/net/gate.ts";
import { judgeOf } from "../../src/workers/engine/net/judge.ts";

export interface GatedOrder {
  /** The text of EGRESS_ALLOW. */
  readonly allow: string;
  /** The schemes of the flow's endpoints. */
  readonly schemes: readonly string[];
  readonly host: string;
  readonly port: number;
  /** The port of the server with TLS. */
  readonly securePort: number;
  /** The answers of DNS, one after the other; absent: the real ones. */
  readonly answers?: readonly string[];
}

const { allow, schemes, host, port, securePort, answers } = workerData as GatedOrder;
const { rules } = parseEgressAllow(allow);

guardSockets((name) => process.getBuiltinModule(name));
judgeConnections(judgeOf({ rules }, new Set(schemes)));
const net = await import("node:net");
const tls = await import("node:tls");
const http = await import("node:http");
const { request } = await import("undici");

let asked = 0;
const lookup: LookupFunction | undefined =
  answers &&
  ((_host, { all }, answer) => {
    const address = answers[Math.min(asked++, answers.length - 1)] ?? "";
    if (all === true) answer(null, [{ address, family: 4 }]);
    else answer(null, address, 4);
  });
const withLookup = lookup === undefined ? {} : { lookup };

type Emitter = Pick<NodeJS.EventEmitter, "once">;

const clients: Readonly<Record<string, () => Promise<unknown>>> = {
  "net.connect with options": () => arrived(net.connect({ host, port, ...withLookup }), "connect"),
  "net.connect with a port": () => arrived(net.connect(port, host), "connect"),
  "a socket that connects": () => arrived(new net.Socket().connect({ host, port, ...withLookup }), "connect"),
  "tls.connect": () =>
    arrived(tls.connect({ host, port: securePort, rejectUnauthorized: false, ...withLookup }), "secureConnect"),
  "tls.connect with a server's name": () =>
    arrived(
      tls
        .connect({ host, port: securePort, servername: "localhost", rejectUnauthorized: false, ...withLookup })
        .setNoDelay(true),
      "secureConnect",
    ),
  "http.get": () => arrived(http.get({ host, port, agent: false, ...withLookup }), "response"),
  undici: async () => (await request(`http://${host}:${port}/`)).body.text(),
  "an endpoint's connection": () => openConnection({ rules }, { scheme: schemes[0] ?? "", host, port }, 5000),
  "a Unix socket": () => arrived(net.connect("/tmp/bulkhead-gated"), "connect"),
};

function arrived(emitter: Emitter, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    emitter.once(event, () => resolve());
    emitter.once("error", reject);
  });
}

const outcomes: Record<string, string> = {};
for (const [name, call] of Object.entries(clients)) {
  asked = 0;
  try {
    await call();
    outcomes[name] = "connected";
  } catch (error) {
    outcomes[name] =
      `${(error as { type?: string }).type ?? (error as { code?: string }).code}: ${(error as Error).message}`;
  }
}
parentPort?.postMessage(outcomes);
process.exit();
