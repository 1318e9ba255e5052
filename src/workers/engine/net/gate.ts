/**
 * The gate at the socket: in a thread with the network every connection passes it, whichever library opens it and whoever named the
 * address. Names are resolved and judged here, and the judged addresses are the ones connected to, so that a name which means another
 * address a moment later (DNS rebinding) is not asked again.
 */
import type { LookupAddress, LookupOptions } from "node:dns";
import type { LookupFunction, Socket } from "node:net";
import { FlowException } from "../exception.ts";

/** Why a connection must not be opened; undefined when it may. `scheme` undefined: the library that opens it has said none. */
export interface Judge {
  host(scheme: string | undefined, host: string, port: number): string | undefined;
  address(scheme: string | undefined, host: string, port: number, address: string): string | undefined;
}

/** In the options of a connection: the scheme whose rules it is judged by. */
export const connectionScheme = Symbol("scheme of a connection");

interface ConnectOptions {
  readonly path?: unknown;
  readonly host?: unknown;
  readonly port?: unknown;
  readonly lookup?: LookupFunction;
  readonly [connectionScheme]?: string;
}

/** What the gate takes of node:net. */
interface Net {
  readonly isIP: (text: string) => number;
  readonly Socket: { readonly prototype: { readonly connect: (this: Socket, ...parameters: unknown[]) => Socket } };
}

const closed = "this flow's thread has no network yet";

let judge: Judge = { host: () => closed, address: () => closed };

/** From now on; nothing is open before. */
export function judgeConnections(by: Judge): void {
  judge = by;
}

/** To be called once in a thread, before any library has taken a socket. `load` gives Node's own modules. */
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
    const scheme = options[connectionScheme];
    const problem =
      judge.host(scheme, host, port) ?? (isIP(host) ? judge.address(scheme, host, port, host) : undefined);
    if (problem !== undefined) return refuse(this, problem);
    const lookup = judged(options.lookup ?? systemLookup, (address) => judge.address(scheme, host, port, address));
    return connect.call(this, { ...options, host, port, lookup }, listener);
  }
  Object.defineProperty(Socket.prototype, "connect", { value: guarded, enumerable: true });
}

/** The forms that `net.Socket.connect` takes: options, a port and a host, a path; or all of it as Node has put it into a list. */
function normalized(parameters: readonly unknown[]): readonly [options: ConnectOptions, listener: unknown] {
  const [first, second] = parameters;
  if (Array.isArray(first)) return normalized(first);
  const listener = parameters.findLast((one) => typeof one === "function");
  if (typeof first === "object" && first !== null) return [first, listener];
  if (typeof first === "string" && !(Number(first) >= 0)) return [{ path: first }, listener];
  return [{ port: first, host: second }, listener];
}

/** Answers what the original does, if each address of it may be called: which one is taken is Node's to say. */
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

/** As any other failure to connect: whoever opens a connection hears of it as of all of them. */
function refuse(socket: Socket, problem: string): Socket {
  return socket.destroy(denied(problem));
}

function denied(problem: string): FlowException & NodeJS.ErrnoException {
  return Object.assign(new FlowException("EgressDeniedException", problem), { code: "ERR_ACCESS_DENIED" });
}
