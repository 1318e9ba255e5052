/**
 * A flow thread that tries to reach further. It is the product's own thread; besides, the body of each message orders
 * it to try or to print something. It prints the outcome of each attempt: the code of its refusal, or what it got.
 */

import { ToThread } from "../../src/shared/frames-to-thread.ts";
import { unpack } from "../../src/shared/packed.ts";
import type { AttachTask } from "../../src/shared/protocol.ts";
import { attach as attachFlow } from "../../src/workers/flow-worker.ts";

export interface ReachOrder {
  /** A file of other flows. */
  readonly routesFile: string;
  readonly dataDirectory: string;
  /** A descriptor that the main thread has opened. */
  readonly descriptor: number;
  /** For a flow with files: its directory, and another flow's. */
  readonly ownDirectory?: string;
  readonly otherDirectory?: string;
}

type Attempt = (order: ReachOrder) => unknown;
type Callable = (...parameters: unknown[]) => unknown;

const load = (name: string): Record<string, Callable> => process.getBuiltinModule(name) as never;
const importing = (name: string): Promise<Record<string, Callable>> => import(name) as never;
const fs = load("node:fs");
const os = load("node:os");
const threads = load("node:worker_threads");
const modules = load("node:module");
const own = process as unknown as Record<string, Callable>;
const requireFrom = modules.createRequire?.(import.meta.url) as Callable;
const mib = 1024 * 1024;

/** Attempts of a flow with files. */
const withFiles: Readonly<Record<string, Attempt>> = {
  "write a file of its own": ({ ownDirectory }) => {
    fs.writeFileSync?.(`${ownDirectory}/reach`, "x");
    return fs.readFileSync?.(`${ownDirectory}/reach`, "utf8");
  },
  "read a file of another flow": ({ otherDirectory }) => fs.readFileSync?.(`${otherDirectory}/a`),
  "list the files of all flows": ({ ownDirectory }) => fs.readdirSync?.(`${ownDirectory}/..`),
  "write beside its directory": ({ ownDirectory }) => fs.writeFileSync?.(`${ownDirectory}x`, "x"),
  "climb out of its directory": ({ ownDirectory }) => fs.readFileSync?.(`${ownDirectory}/../f1/a`),
  "link another flow's file into its directory": ({ ownDirectory, otherDirectory }) => {
    fs.symlinkSync?.(`${otherDirectory}/a`, `${ownDirectory}/link`);
    return fs.readFileSync?.(`${ownDirectory}/link`, "utf8");
  },
  "link another flow's file hard": ({ ownDirectory, otherDirectory }) => {
    fs.linkSync?.(`${otherDirectory}/a`, `${ownDirectory}/hard`);
    return fs.readFileSync?.(`${ownDirectory}/hard`, "utf8");
  },
};

const attempts: Readonly<Record<string, Attempt>> = {
  "read a system file": () => fs.readFileSync?.("/etc/passwd"),
  "read another flow": ({ routesFile }) => fs.readFileSync?.(routesFile),
  "list the data directory": ({ dataDirectory }) => fs.readdirSync?.(dataDirectory),
  "read the working directory": () => fs.readFileSync?.("biome.json"),
  "list the working directory": () => fs.readdirSync?.("."),
  "read through a promise": () => (fs.promises as unknown as typeof fs).readFile?.("/etc/passwd"),
  "read a blob": () => fs.openAsBlob?.("/etc/passwd"),
  "read /proc/self/environ": () => fs.readFileSync?.("/proc/self/environ"),
  "read /proc/<pid>/environ": () => fs.readFileSync?.(`/proc/${process.pid}/environ`),
  "read /proc/thread-self/environ": () => fs.readFileSync?.("/proc/thread-self/environ"),
  "climb out of /proc/thread-self": () => fs.readFileSync?.("/proc/thread-self/stat/../../../environ"),
  "list /proc/thread-self": () => fs.readdirSync?.("/proc/thread-self"),
  "read a file below /proc/thread-self/root": () => fs.readFileSync?.("/proc/thread-self/root/etc/passwd"),
  "list /proc/thread-self/cwd": () => fs.readdirSync?.("/proc/thread-self/cwd"),
  "open /proc/thread-self/mem": () => fs.openSync?.("/proc/thread-self/mem", "r"),
  "read /proc/thread-self/status": () => fs.readFileSync?.("/proc/thread-self/status"),
  "know its number in the system": () => /^\d+ \(/.test(String(fs.readFileSync?.("/proc/thread-self/stat", "latin1"))),
  "open /proc/self/mem": () => fs.openSync?.("/proc/self/mem", "r+"),
  "read /proc/self/fd": () => fs.readdirSync?.("/proc/self/fd"),
  "require a file": () => requireFrom("/etc/passwd"),
  "import a file": () => importing("file:///etc/passwd"),
  "load an .env file": () => own.loadEnvFile?.("/etc/environment"),
  "watch a file": () => fs.watch?.("/etc"),
  "have the HTTP client loaded": () =>
    Object.keys((requireFrom as unknown as { cache: object }).cache).some((file) => file.includes("undici")),
  "find out whether a path exists": () => fs.realpathSync?.("/etc/passwd"),
  "read the runtime's code": () => String(fs.readFileSync?.("package.json")).includes("bulkhead"),

  "write a file": () => fs.writeFileSync?.("/tmp/bulkhead-reach", "x"),
  "write its own code": () => fs.writeFileSync?.(new URL("../../dist/current", import.meta.url), "x", { flag: "a" }),
  "make a directory": () => fs.mkdtempSync?.("/tmp/bulkhead-reach-"),
  "link a file into its code": () => fs.symlinkSync?.("/etc/passwd", "src/link"),
  "set a compile cache": () =>
    (modules.enableCompileCache?.("/tmp/bulkhead-reach") as { directory?: string }).directory,
  "write a report": () => (own.report as unknown as { writeReport: Callable }).writeReport(),
  "write a heap snapshot": () => load("node:v8").writeHeapSnapshot?.(),

  "write to standard output by descriptor": () => fs.writeSync?.(1, "raw output\n"),
  "write to standard error by descriptor": () => fs.writeFileSync?.(2, "raw output\n"),
  "stream to standard output by descriptor": () => streamed(fs.createWriteStream?.("", { fd: 1 })),
  "open standard output as a terminal": () => load("node:tty").WriteStream,
  "write to a descriptor of the main thread": ({ descriptor }) => fs.writeSync?.(descriptor, "x"),
  "read from a descriptor of the main thread": ({ descriptor }) => fs.readSync?.(descriptor, new Uint8Array(1)),
  "close a descriptor of the main thread": ({ descriptor }) => fs.closeSync?.(descriptor),
  "make a socket of a descriptor": ({ descriptor }) =>
    Reflect.construct(load("node:net").Socket as Callable, [{ fd: descriptor }]),
  "connect a socket of a descriptor": ({ descriptor }) => load("node:net").connect?.({ fd: descriptor }),
  "use a descriptor of its own": () => {
    const descriptor = fs.openSync?.("package.json", "r");
    const read = fs.readSync?.(descriptor, new Uint8Array(8));
    fs.closeSync?.(descriptor);
    return read;
  },

  "start a process": () => load("node:child_process").spawnSync,
  "import child_process": () => importing("node:child_process"),
  "require child_process": () => requireFrom("child_process"),
  "load child_process past the hooks": () => modules._load?.("child_process"),
  "become another program": () => own.execve?.("/bin/true", ["true"], {}),
  "start a thread": () => Reflect.construct(threads.Worker as Callable, ["0", { eval: true }]),
  "start a thread without flags": () =>
    Reflect.construct(threads.Worker as Callable, ["0", { eval: true, execArgv: [] }]),
  "load an addon": () => own.dlopen?.({ exports: {} }, "/tmp/none.node"),
  "use an internal binding": () => own.binding?.("fs"),
  "hook the module loader": () => modules.registerHooks?.({}),

  connect: () => connected(load("node:net").connect?.({ host: "127.0.0.1", port: 9 })),
  "connect to a Unix socket": () => connected(load("node:net").connect?.({ path: "/tmp/bulkhead-reach" })),
  "ask another name server": () => load("node:dns").setServers?.(["127.0.0.1"]),
  "import net": async () => typeof (await importing("net")).connect,
  "make a request": () => typeof load("node:http").get,
  "be a server": () => load("node:net").createServer?.(),
  "be a server by its class": () => load("node:net").Server?.(),
  "be an HTTP server": () => load("node:http").createServer?.(),
  "be an HTTPS server": () => load("node:https").createServer,
  "make a request over HTTP/2": () => typeof load("node:http2").connect,
  "be an HTTP/2 server": () => load("node:http2").createSecureServer ?? load("node:http2").createServer,
  "send a datagram": () => load("node:dgram").createSocket,
  "resolve a name": () => typeof load("node:dns").lookup,
  "resolve a name, promised": () => importing("node:dns/promises"),
  fetch: () => typeof fetch,
  "open a web socket": () => typeof WebSocket,

  "read its environment": () => process.env,
  "read a variable of the process": () => process.env.SERVICE_DEPLOY_TOKEN ?? null,
  "read its arguments": () => process.argv.length,
  "read the report": () => typeof process.report,
  "see Piscina's ports": () => own._getActiveHandles?.(),

  "signal the process": () => process.kill(process.pid, "SIGWINCH"),
  "signal the process from below": () => own._kill?.(process.pid, 28),
  abort: () => process.abort(),
  "change the working directory": () => process.chdir("/"),
  "change the user": () => process.setuid?.(0),
  "change the umask": () => process.umask(0o777),
  "set the main thread's priority": () => os.setPriority?.(process.pid, 1),
  "set a title": () => {
    process.title = "evil";
  },
  "set flags of V8": () => load("node:v8").setFlagsFromString,
  "make a context of V8": () => load("node:vm").runInNewContext,
  "make a context of V8 by import": () => importing("vm"),
  "collect garbage": () => typeof globalThis.gc,
  "debug the process": () => load("node:inspector").open,
  "trace the process": () => load("node:trace_events").createTracing,
  "load sqlite": () => load("node:sqlite"),
  "load wasi": () => load("node:wasi"),
  "load the test runner": () => typeof load("node:test"),
  "set FIPS mode": () => load("node:crypto").setFips?.(true),

  "post to the main thread": () => threads.postMessageToThread?.(0, "x"),
  "post on the thread's own port": () => {
    const port = threads.parentPort as unknown as MessagePort;
    for (const message of [null, "x", { taskId: 0, result: 1 }, { _WORKER_READY: true }]) port.postMessage(message);
  },
  "post on a broadcast channel": () => {
    const channel = new BroadcastChannel("main");
    channel.postMessage("x");
    channel.close();
  },
  "share data with later threads": () => threads.setEnvironmentData?.("x", 1),
  "emit a signal": () => process.emit("SIGTERM" as never),
  "set the exit code": () => {
    process.exitCode = 9;
    process.exitCode = undefined;
  },
  "ask what it may": () => (own.permission as unknown as { has: Callable }).has("fs.write"),
  "run code from text": () => new Function("return 1")(),
  "import code from a URL": async () => (await importing("data:text/javascript,export const one = () => 1")).one?.(),
  "tell the time exactly": () => typeof process.hrtime.bigint(),
  "know the machine": () =>
    [os.hostname, os.userInfo, os.networkInterfaces, os.homedir].every((ask) => ask?.() !== undefined),
  "know the memory of the process": () => process.memoryUsage().rss > mib,
  "turn on source maps": () => process.setSourceMapsEnabled(true),
};

async function tried(attempt: Attempt, order: ReachOrder): Promise<string> {
  try {
    return JSON.stringify(await attempt(order)) ?? "undefined";
  } catch (error) {
    return error instanceof Error ? String((error as NodeJS.ErrnoException).code ?? error) : String(error);
  }
}

/** Attempts to connect; a refusal by the other side means that the connection was allowed. */
function connected(socket: unknown): Promise<string> {
  const opened = socket as NodeJS.EventEmitter;
  return new Promise((resolve, reject) => {
    opened.on("connect", () => resolve("connected"));
    opened.on("error", (error: NodeJS.ErrnoException) =>
      error.code === "ECONNREFUSED" ? resolve("connected") : reject(error),
    );
  });
}

function streamed(stream: unknown): Promise<unknown> {
  const out = stream as NodeJS.WritableStream;
  return new Promise((resolve, reject) => {
    out.on("error", reject).on("finish", () => resolve("written"));
    out.end("raw output\n");
  });
}

/** Ways in which a library may write output; none of it may arrive unframed. */
const prints: readonly (() => void)[] = [
  () => console.log("heard: console.log %d", 1),
  () => console.table([["heard: console.table"]]),
  () => console.dir({ heard: "console.dir" }),
  () => console.assert(false, "heard: console.assert"),
  () => process.stdout.write("heard: stdout.write"),
  () => Object.getPrototypeOf(process.stdout).write.call(process.stdout, "heard: prototype"),
  () => {
    process.stdout.cork();
    for (const text of ["heard: corked", "heard: corked too"]) process.stdout.write(text);
    process.stdout.uncork();
  },
  () => process.stderr.write(Buffer.from("heard: stderr bytes")),
  () => process.stdout.end("heard: stdout.end"),
  () => own._rawDebug?.("heard: _rawDebug"),
  () => process.emitWarning("heard: emitWarning"),
  () => console.log('heard: {"password": "hunter2"}'),
];

const orders: Readonly<Record<string, () => void>> = {
  print: () => {
    for (const print of prints) print();
  },
  "print in a loop": () => {
    for (let i = 0; i < 20_000; i++) process.stdout.write(`line ${i}\n`);
  },
  "print much": () => console.log("much ".repeat(mib)),
  "reject later": () => void setTimeout(() => Promise.reject(new Error("too late, token=abc")), 20),
  "throw later": () => {
    setTimeout(() => {
      throw new Error("x".repeat(mib));
    }, 20);
  },
  "tick for ever": () => {
    const again = (): void => process.nextTick(again);
    again();
  },
};

async function reach(order: ReachOrder): Promise<void> {
  const all = order.ownDirectory === undefined ? attempts : { ...attempts, ...withFiles };
  for (const [name, attempt] of Object.entries(all)) console.log(`tried ${name}: ${await tried(attempt, order)}`);
  console.log("tried all");
}

export function attach(task: AttachTask): Promise<void> {
  const ended = attachFlow(task);
  task.port.on("message", (message: unknown) => {
    const frames = (Array.isArray(message) ? message : unpack(message as string | Uint8Array)) as unknown[];
    if (frames[0] !== ToThread.invoke) return;
    const body = String(frames[6]);
    if (body.startsWith("{")) void reach(JSON.parse(body) as ReachOrder);
    else orders[body]?.();
  });
  return ended;
}
