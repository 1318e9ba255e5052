/**
 * Takes from its own thread what `--permission` leaves a thread and no flow needs. Flows contain no code: this is for bugs
 * in what runs them, and not a cage (docs/security.md). To be called before any flow's text is read. A thread with the
 * network keeps what it needs to connect to servers, through the gate that judges each (engine/net/gate.ts), and still can neither be
 * one nor take over a socket that is open.
 */
import { registerHooks, syncBuiltinESMExports } from "node:module";
import { guardSockets } from "./engine/net/gate.ts";

type Callable = (...parameters: unknown[]) => unknown;

/** Modules that open something to the outside or set something for the whole process. */
const modules: ReadonlySet<string> = new Set(
  (
    "child_process cluster dgram dns dns/promises http http2 https inspector inspector/promises net quic repl sqlite " +
    "tls trace_events tty v8 vm wasi"
  ).split(" "),
);

/** What clients of servers need. */
const ofNetwork: ReadonlySet<string> = new Set("dns http net tls".split(" "));

/** Ways to be a server. All of them end in `listen`. */
const serving: readonly (readonly [owner: string, ...names: string[]])[] = [
  ["node:net", "createServer", "Server"],
  ["node:tls", "createServer", "Server"],
  ["node:http", "createServer", "Server"],
];

/**
 * Signals and priorities reach other threads and processes; the report has the process's environment and sockets in it;
 * handles are Piscina's own ports; hooks could undo what is done here.
 */
const functions: readonly (readonly [owner: string, ...names: string[]])[] = [
  ["node:process", "kill", "_kill", "_getActiveHandles", "_getActiveRequests"],
  ["node:os", "setPriority"],
  ["node:worker_threads", "postMessageToThread"],
  ["node:module", "registerHooks", "register"],
];

/** Functions of node:fs that take a descriptor, each with its synchronous twin. */
const byDescriptor =
  "read readv write writev close fsync fdatasync ftruncate futimes fchmod fchown readFile writeFile appendFile".split(
    " ",
  );

export function renounce(network = false): void {
  const { getBuiltinModule } = process;
  const refused = network ? modules.difference(ofNetwork) : modules;
  const isRefused = (specifier: string): boolean => refused.has(specifier.replace(/^node:/, ""));
  if (network) onlyConnect(getBuiltinModule);
  registerHooks({
    resolve(specifier, context, next) {
      if (isRefused(specifier)) throw denied(specifier);
      return next(specifier, context);
    },
  });
  put(process, "getBuiltinModule", (name) => {
    if (isRefused(String(name))) throw denied(String(name));
    return getBuiltinModule(String(name));
  });
  for (const [owner, ...names] of functions) {
    for (const name of names) refuse(getBuiltinModule(owner) as object, name);
  }
  // To redefine these in place of deleting them would load them, which takes longer than the thread's boot.
  for (const name of ["fetch", "WebSocket", "EventSource"]) Reflect.deleteProperty(globalThis, name);
  // V8's own cannot be deleted.
  Object.defineProperty(globalThis, "gc", { value: undefined, writable: false });
  Object.defineProperty(process, "report", { value: undefined });
  // Node has read them: where the runtime's code is concerns no flow.
  for (const name of ["NODE_COMPILE_CACHE", "NODE_COMPILE_CACHE_READONLY"]) delete process.env[name];
  keepOwnDescriptors(getBuiltinModule("node:fs") as unknown as Record<string, Callable>);
  syncBuiltinESMExports();
}

/** Numbers name the sockets and files of all threads: of these, only what this thread opened itself may be used. */
function keepOwnDescriptors(fs: Record<string, Callable>): void {
  const own = new Set<unknown>();
  const { openSync, open } = fs as Record<"open" | "openSync", Callable>;
  put(fs, "openSync", (...parameters) => {
    const descriptor = openSync(...parameters);
    own.add(descriptor);
    return descriptor;
  });
  put(fs, "open", (...parameters) => {
    const done = parameters.pop() as Callable;
    return open(...parameters, (error: unknown, descriptor: unknown) => {
      if (error === null) own.add(descriptor);
      done(error, descriptor);
    });
  });
  for (const name of byDescriptor.flatMap((one) => [one, `${one}Sync`])) {
    const original = fs[name] as Callable;
    put(fs, name, (target, ...parameters) => {
      if (typeof target === "number" && !own.has(target)) {
        const done = parameters.at(-1);
        if (typeof done !== "function") throw denied(`descriptor ${target}`);
        return process.nextTick(done, denied(`descriptor ${target}`));
      }
      if (name.startsWith("close")) own.delete(target);
      return original(target, ...parameters);
    });
  }
}

/** Sockets that connect, and none that listens or is made of a number: numbers name the sockets of all threads. */
function onlyConnect(load: (name: string) => unknown): void {
  const net = load("node:net") as Record<string, Callable>;
  // All of them are loaded before anything is taken from one: they are made of each other.
  const owners = serving.map(([owner, ...names]) => [load(owner) as object, names] as const);
  refuse((net.Server as Callable).prototype as object, "listen");
  for (const [owner, names] of owners) for (const name of names) refuse(owner, name);
  const { Socket, connect } = net as Record<"Socket" | "connect", Callable>;
  const unlessHeld = (options: unknown): void => {
    const { fd, handle } = (options ?? {}) as { readonly fd?: unknown; readonly handle?: unknown };
    if (fd !== undefined || handle !== undefined) throw denied("a socket that is open already");
  };
  for (const name of ["connect", "createConnection"]) {
    put(net, name, (...parameters) => {
      unlessHeld(parameters[0]);
      return connect(...parameters);
    });
  }
  const opened = new Proxy(Socket, {
    construct(target, parameters, newTarget) {
      unlessHeld(parameters[0]);
      return Reflect.construct(target, parameters, newTarget) as object;
    },
  });
  for (const name of ["Socket", "Stream"]) put(net, name, opened);
  guardSockets(load);
  // A name server is asked at whatever address it has, and not through a socket that is judged.
  const dns = load("node:dns") as typeof import("node:dns");
  for (const owner of [dns, dns.promises]) {
    refuse(owner, "setServers");
    refuse(owner.Resolver.prototype, "setServers");
  }
}

function refuse(owner: object, name: string): void {
  put(owner, name, () => {
    throw denied(name);
  });
}

function put(owner: object, name: string, value: Callable): void {
  Object.defineProperty(owner, name, { value, enumerable: true });
}

function denied(what: string): Error {
  return Object.assign(new Error(`threads that run flows have no access to ${what}`), { code: "ERR_ACCESS_DENIED" });
}
