/**
 * Ports for servers. They lie below those that the system lends to clients: a server that starts again finds its port free.
 * No two processes of tests get the same one.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:net";

/** How many there are to choose from. */
const span = 12_000;
const lowestOfClients = Number(readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8").split(/\s+/)[0]);
const lowest = Math.max(1024, lowestOfClients - span);

/** Processes begin at different ones, and go on from there. */
let next = (process.pid * 41) % span;

/** Returns a port on which nothing listens. It is not given again while this process lives. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < span; tries++) {
    const port = lowest + next;
    next = (next + 1) % span;
    const taken = await listening(`\0bulkhead-test-port-${port}`);
    if (taken === undefined) continue;
    const probe = await listening(port);
    if (probe === undefined) {
      taken.close();
      continue;
    }
    probe.close();
    await once(probe, "close");
    return port;
  }
  throw new Error("no port is free");
}

/** The system ends what listens with the process, so that nothing is left of a name. Resolves with undefined when it is in use. */
async function listening(at: number | string): Promise<Server | undefined> {
  const server = createServer().unref();
  const options = typeof at === "number" ? { port: at, host: "127.0.0.1" } : { path: at };
  try {
    await once(server.listen(options), "listening");
    return server;
  } catch {
    return undefined;
  }
}
