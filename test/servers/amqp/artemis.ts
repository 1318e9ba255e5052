/** ActiveMQ Artemis from Maven Central: a broker in a process of its own, on loopback, with its journal on the disk. */
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { cert, key } from "../../support/localhost-cert.ts";
import { mavenFolder } from "../maven.ts";
import { freePort } from "../ports.ts";
import { program, runToEnd, ServerProcess, serverFile, serverFolder } from "../server-process.ts";

const artemisVersion = "2.44.0";
const artifacts = [
  `org.apache.activemq:artemis-server:${artemisVersion}`,
  `org.apache.activemq:artemis-amqp-protocol:${artemisVersion}`,
  `org.apache.activemq:artemis-openwire-protocol:${artemisVersion}`,
  "org.slf4j:slf4j-nop:2.0.17",
];

export interface Artemis {
  readonly process: ServerProcess;
  /** Its AMQP port, the one with TLS, and one where it speaks OpenWire. */
  readonly ports: { readonly amqp: number; readonly secure: number; readonly openwire: number };
  readonly username: string;
  readonly password: string;
  /** Messages of a queue, those that are under way among them; -1: there is no such queue. */
  count(queue: string): Promise<number>;
  consumers(queue: string): Promise<number>;
  connections(): Promise<number>;
  queues(): Promise<readonly string[]>;
  /** The texts of a queue's messages in their order, from this one on. */
  texts(queue: string, from?: number): Promise<readonly string[]>;
  clear(queue: string): Promise<void>;
  /** Removes the queue; its consumers are ended. */
  destroy(queue: string): Promise<void>;
  close(): Promise<void>;
}

/** Returns the path of Java and the class path. Throws Unavailable. */
export function installArtemis(): { readonly java: string; readonly classPath: string } {
  const java = program("/usr/bin/java", ["openjdk-17-jdk-headless"]);
  const jars = mavenFolder("artemis", artifacts);
  return { java, classPath: `${compiled(java, jars)}:${jars}/*` };
}

/** `attempts`: how often a message is delivered before it goes to DLQ. Throws Unavailable. */
export async function startArtemis({ attempts = 10 }: { readonly attempts?: number } = {}): Promise<Artemis> {
  const { java, classPath } = installArtemis();
  const cwd = await serverFolder("artemis", undefined);
  await serverFile(cwd, undefined, "server.pem", `${key}\n${cert}`);
  const [amqp, secure, openwire, control] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const [username, password] = ["tester", "test-secret"];
  const options = { folder: cwd, amqp, secure, openwire, control, user: username, password, attempts };
  const args = [
    ...["-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", classPath, "Broker"],
    ...Object.entries(options).map(([name, value]) => `${name}=${value}`),
  ];
  const server = new ServerProcess({ command: java, args, user: undefined, cwd }, /the broker is ready/, "SIGTERM");
  await server.start();
  const ask = async (path: string, query: Readonly<Record<string, string | number>> = {}): Promise<string> => {
    const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
    const answer = await fetch(`http://127.0.0.1:${control}/${path}?${text}`);
    if (!answer.ok) throw new Error(await answer.text());
    return await answer.text();
  };
  const linesOf = (text: string): readonly string[] => text.split("\n").slice(0, -1);
  return {
    process: server,
    ports: { amqp, secure, openwire },
    username,
    password,
    count: async (queue) => Number(await ask("count", { queue })),
    consumers: async (queue) => Number(await ask("consumers", { queue })),
    connections: async () => Number(await ask("connections")),
    queues: async () => linesOf(await ask("queues")),
    texts: async (queue, from = 0) => linesOf(await ask("texts", { queue, from })),
    clear: async (queue) => void (await ask("clear", { queue })),
    destroy: async (queue) => void (await ask("destroy", { queue })),
    close: () => server.remove(),
  };
}

/** The folder with the compiled broker, beside its jars. */
function compiled(java: string, jars: string): string {
  const source = join(import.meta.dirname, "Broker.java");
  const version = createHash("sha256").update(readFileSync(source)).digest("hex").slice(0, 12);
  const classes = join(jars, `broker-${version}`);
  if (existsSync(classes)) return classes;
  const work = `${classes}.${process.pid}`;
  mkdirSync(work);
  const args = [
    "-m",
    "jdk.compiler/com.sun.tools.javac.Main",
    "-nowarn",
    "-d",
    work,
    "-cp",
    globSync(join(jars, "*.jar")).join(":"),
    source,
  ];
  runToEnd({ command: java, args, user: undefined, cwd: work });
  // A second run of tests never sees a class that is half written.
  renameSync(work, classes);
  return classes;
}
