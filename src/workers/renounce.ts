/**
 * Takes from its own thread what `--permission` leaves a thread and no flow needs. Flows contain no code: this is for bugs
 * in what runs them, and not a cage (docs/security.md). To be called before any flow's text is read.
 */
import { registerHooks, syncBuiltinESMExports } from "node:module";

type Callable = (...parameters: unknown[]) => unknown;

/** Modules that open something to the outside or set something for the whole process. */
const modules: ReadonlySet<string> = new Set(
  (
    "child_process cluster dgram dns dns/promises http http2 https inspector inspector/promises net quic repl sqlite " +
    "tls trace_events tty v8 wasi"
  ).split(" "),
);

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

export function renounce(): void {
  const { getBuiltinModule } = process;
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
  Object.defineProperty(process, "report", { value: undefined });
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

function isRefused(specifier: string): boolean {
  return modules.has(specifier.replace(/^node:/, ""));
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
