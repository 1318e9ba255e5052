/**
 * Removes capabilities from its own thread that `--permission` leaves and no flow needs. Flows contain no code: this
 * protects against bugs in the runtime, and is not a sandbox (docs/security.md). Must be called before any flow's text
 * is read. A thread with network access keeps the means to connect to servers, through the gate that judges each
 * connection (engine/net/gate.ts). It still cannot listen, or take over an open socket.
 */
import { registerHooks, syncBuiltinESMExports } from "node:module";
import { guardSockets } from "./engine/net/gate.ts";
import { isWithheld } from "./withheld.ts";

type Callable = (...parameters: unknown[]) => unknown;

/** Modules that reach outside the thread, or change settings of the whole process. */
const modules: ReadonlySet<string> = new Set(
  (
    "child_process cluster dgram dns dns/promises http http2 https inspector inspector/promises net quic repl sqlite " +
    "tls trace_events tty v8 vm wasi"
  ).split(" "),
);

/** Modules that clients of servers need. */
const ofNetwork: ReadonlySet<string> = new Set("dns http net tls".split(" "));

/** A module of which a thread with network access gets one function: what it calls opens sockets through the gate. */
const clientsOnly = { module: "http2", functions: ["connect"] } as const;

/** Functions that start servers. All of them call `listen`. */
const serving: readonly (readonly [owner: string, ...names: string[]])[] = [
  ["node:net", "createServer", "Server"],
  ["node:tls", "createServer", "Server"],
  ["node:http", "createServer", "Server"],
];

/**
 * Signals and priorities affect other threads and processes; the report contains the process's environment and sockets;
 * handles include Piscina's own ports; hooks could undo these changes.
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

/** Where libraries import the modules of withheld.ts in development; bundles have the stub in them. */
const stub = new URL("./withheld-module.cts", import.meta.url).href;

export function renounce(network = false): void {
  const { getBuiltinModule } = process;
  const refused = network ? modules.difference(ofNetwork) : modules;
  const isRefused = (specifier: string): boolean => refused.has(specifier.replace(/^node:/, ""));
  if (network) onlyConnect(getBuiltinModule);
  registerHooks({
    resolve(specifier, context, next) {
      if (isWithheld(specifier, context.parentURL))
        return { url: stub, format: "commonjs-typescript", shortCircuit: true };
      if (isRefused(specifier)) throw denied(specifier);
      return next(specifier, context);
    },
  });
  put(process, "getBuiltinModule", (name) => {
    if (network && String(name).replace(/^node:/, "") === clientsOnly.module)
      return part(getBuiltinModule, clientsOnly);
    if (isRefused(String(name))) throw denied(String(name));
    return getBuiltinModule(String(name));
  });
  for (const [owner, ...names] of functions) {
    for (const name of names) refuse(getBuiltinModule(owner) as object, name);
  }
  // Deletes these, since redefining them would load them, which takes longer than the thread's boot.
  for (const name of ["fetch", "WebSocket", "EventSource"]) Reflect.deleteProperty(globalThis, name);
  // V8's own property cannot be deleted.
  Object.defineProperty(globalThis, "gc", { value: undefined, writable: false });
  Object.defineProperty(process, "report", { value: undefined });
  // Node has read them already, and flows must not see the paths of the runtime's code.
  for (const name of ["NODE_COMPILE_CACHE", "NODE_COMPILE_CACHE_READONLY"]) delete process.env[name];
  keepOwnDescriptors(getBuiltinModule("node:fs") as unknown as Record<string, Callable>);
  syncBuiltinESMExports();
}

/** Numbers identify the sockets and files of all threads, so only those that this thread has opened may be used. */
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

/**
 * Allows sockets that connect, but none that listens or is made from a number, because numbers identify the sockets of
 * all threads.
 */
function onlyConnect(load: (name: string) => unknown): void {
  const net = load("node:net") as Record<string, Callable>;
  // Loads all of them before anything is removed from one, since they depend on each other.
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
  // A name server could be set to any address, and is not reached through a judged socket.
  const dns = load("node:dns") as typeof import("node:dns");
  for (const owner of [dns, dns.promises]) {
    refuse(owner, "setServers");
    refuse(owner.Resolver.prototype, "setServers");
  }
}

/** Loaded with the first use, since it takes longer than the rest of the thread's boot. */
function part(
  load: (name: string) => object | undefined,
  { module, functions: names }: typeof clientsOnly,
): Readonly<Record<string, unknown>> {
  const whole = load(`node:${module}`) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(names.map((name) => [name, whole[name]]));
}

/** A constructor, too, since Node's own modules extend classes that are refused here. */
function refuse(owner: object, name: string): void {
  put(owner, name, function refused() {
    throw denied(name);
  });
}

function put(owner: object, name: string, value: Callable): void {
  Object.defineProperty(owner, name, { value, enumerable: true });
}

function denied(what: string): Error {
  return Object.assign(new Error(`threads that run flows have no access to ${what}`), { code: "ERR_ACCESS_DENIED" });
}
