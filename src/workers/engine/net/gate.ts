/**
 * The gate at the socket: in a thread with network access every connection passes it, whichever library opens it. The
 * gate resolves and judges names itself, and connects to the judged addresses. So a name that resolves to another
 * address a moment later (DNS rebinding) is not resolved again. connection.ts judges its own connections, too, and says
 * why.
 */
import type { LookupAddress, LookupOptions } from "node:dns";
import type { LookupFunction, Socket } from "node:net";
import { FlowException } from "../exception.ts";

/**
 * Returns why a connection must not be opened; undefined when it may. `scheme` undefined: the library that opens it has
 * set none.
 */
export interface Judge {
  host(scheme: string | undefined, host: string, port: number): string | undefined;
  address(scheme: string | undefined, host: string, port: number, address: string): string | undefined;
  /** Of a port that the server at the address announces. */
  beside(port: number, address: string): string | undefined;
}

/** The option of a connection with the scheme whose rules apply. */
export const connectionScheme = Symbol("scheme of a connection");

/**
 * The option of a connection that belongs to another one, whose socket is its value: an address that the server of that one
 * announces, such as a port for data. It goes to the same address, on a port from 1024 on.
 */
export const besideConnection = Symbol("the connection that another one belongs to");

interface ConnectOptions {
  readonly path?: unknown;
  readonly host?: unknown;
  readonly port?: unknown;
  readonly lookup?: LookupFunction;
  readonly [connectionScheme]?: string;
  readonly [besideConnection]?: Socket;
}

/** The parts of node:net that the gate replaces. */
interface Net {
  readonly isIP: (text: string) => number;
  readonly Socket: { readonly prototype: { readonly connect: (this: Socket, ...parameters: unknown[]) => Socket } };
}

/** Sockets that were judged. */
const passed = new WeakSet<Socket>();
/** Ports below are those of services. */
const leastBeside = 1024;

const closed = "this flow's thread has no network yet";

let judge: Judge = { host: () => closed, address: () => closed, beside: () => closed };

/** Sets the judge. Until then every connection is refused. */
export function judgeConnections(by: Judge): void {
  judge = by;
}

/**
 * Must be called once per thread, before any library has a reference to a socket class. `load` returns Node's own
 * modules.
 */
export function guardSockets(load: (name: string) => unknown): void {
  const { Socket, isIP } = load("node:net") as Net;
  const { connect } = Socket.prototype;
  const systemLookup: LookupFunction = (host, options, answer) =>
    (load("node:dns") as { readonly lookup: LookupFunction }).lookup(host, options, answer);
  function guarded(this: Socket, ...parameters: unknown[]): Socket {
    const [options, listener] = normalized(parameters);
    if (options.path) return refuse(this, "a Unix socket is no address to call");
    const host = typeof options.host === "string" && options.host !== "" ? options.host : "localhost";
    const port = Number(options.port);
    const beside = options[besideConnection];
    if (beside !== undefined) {
      const { remoteAddress } = beside;
      if (!passed.has(beside) || remoteAddress === undefined || !(port >= leastBeside))
        return refuse(this, `the port ${port} that a server announces is not one for data`);
      const problem = judge.beside(port, remoteAddress);
      if (problem !== undefined) return refuse(this, problem);
      return connect.call(this, { ...options, host: remoteAddress, port }, listener);
    }
    const scheme = options[connectionScheme];
    const problem =
      judge.host(scheme, host, port) ?? (isIP(host) ? judge.address(scheme, host, port, host) : undefined);
    if (problem !== undefined) return refuse(this, problem);
    const lookup = judged(options.lookup ?? systemLookup, (address) => judge.address(scheme, host, port, address));
    passed.add(this);
    return connect.call(this, { ...options, host, port, lookup }, listener);
  }
  Object.defineProperty(Socket.prototype, "connect", { value: guarded, enumerable: true });
}

/**
 * The forms of `net.Socket.connect` parameters: options; a port and a host; a path; or the list that Node has made of
 * them.
 */
function normalized(parameters: readonly unknown[]): readonly [options: ConnectOptions, listener: unknown] {
  const [first, second] = parameters;
  if (Array.isArray(first)) return normalized(first);
  const listener = parameters.findLast((one) => typeof one === "function");
  if (typeof first === "object" && first !== null) return [first, listener];
  if (typeof first === "string" && !(Number(first) >= 0)) return [{ path: first }, listener];
  return [{ port: first, host: second }, listener];
}

/**
 * Resolves as the original does, and refuses the name if any address is forbidden, since Node chooses which one is
 * used.
 */
function judged(lookup: LookupFunction, problemOf: (address: string) => string | undefined): LookupFunction {
  return (host, options, answer) => {
    lookup(host, { ...options, all: true } as LookupOptions, (error, found, family) => {
      if (error !== null) return answer(error, "", 0);
      const addresses: LookupAddress[] = typeof found === "string" ? [{ address: found, family: family ?? 0 }] : found;
      for (const { address } of addresses) {
        const problem = problemOf(address);
        if (problem !== undefined) return answer(denied(problem), "", 0);
      }
      const [first] = addresses;
      if (options.all === true) return answer(null, addresses);
      if (first === undefined)
        return answer(Object.assign(new Error(`${host} has no address`), { code: "ENOTFOUND" }), "", 0);
      answer(null, first.address, first.family);
    });
  };
}

/**
 * Fails like any other connection, behind the call that opens it: callers set up a socket that they have asked to connect, and listen for
 * its error then. One that is destroyed in the call itself has no handle, for which `tls.connect` throws, and its error reaches nobody.
 */
function refuse(socket: Socket, problem: string): Socket {
  Object.assign(socket, { connecting: true });
  queueMicrotask(() => socket.destroy(denied(problem)));
  return socket;
}

function denied(problem: string): FlowException & NodeJS.ErrnoException {
  return Object.assign(new FlowException("EgressDeniedException", problem), { code: "ERR_ACCESS_DENIED" });
}
