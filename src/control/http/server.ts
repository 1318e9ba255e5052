/**
 * The HTTP server: decides which requests are let in, and passes them to the management API or to the triggers of flows.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, isIPv4, type Socket } from "node:net";
import { AppError } from "../../shared/errors.ts";
import type { Limits } from "../../shared/limits.ts";
import { type Authenticator, refusal } from "./auth.ts";
import { createClientErrorHandler, envelopeProblem, refuse } from "./bad-requests.ts";
import { ByteGate, countedRequest, StalledReaders } from "./connection-guards.ts";
import { type Call, type Expectation, holdBody, Pipeline, Turns, WaitingRoom } from "./pipeline.ts";
import { sendError, setManagementHeaders } from "./reply.ts";
import { parseTarget, type Target } from "./target.ts";

/** What the management API gets about a request that was let in. */
export interface Admission {
  readonly target: Target;
  /** true: it carries the deploy token; false only on the open endpoint. */
  readonly authenticated: boolean;
}

export type ManagementHandler = (request: IncomingMessage, response: ServerResponse, admission: Admission) => void;

/**
 * Handles everything that is not under `/_api`. This is the hot path: nothing has been parsed, so an ingress may look
 * `request.url` up as it is among its exact targets, and calls `parseTarget` only on a miss (a problem is
 * a 400 `bad_target`). `target` is given where the door had to parse. No accepted target that arrives here has the area
 * `management`: `/_api` cannot be written in another way. The ingress puts `X-Request-Id` (`requestIdOf`) on its
 * answers and calls `acceptBody` before it reads a body.
 */
export type Ingress = (request: IncomingMessage, response: ServerResponse, target?: Target) => void;

export interface DoorOptions {
  readonly authenticator: Authenticator;
  /** Loads the management API; called at the first request that is let in to it, and again only if that failed. */
  readonly management: () => Promise<ManagementHandler>;
  readonly ingress: Ingress;
  readonly limits: Limits;
  /** Called with errors that no answer reports, for the log. */
  readonly onError: (error: unknown) => void;
  /** Called for each call of the management API that is not let in. */
  readonly onRefused?: ((request: IncomingMessage, response: ServerResponse, error: AppError) => void) | undefined;
  /** How often to look for slow connections, in ms. */
  readonly checkEveryMs?: number;
}

export interface Door {
  /** Begins to listen. Port 0: any free one. Rejects when the port is taken. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /**
   * Stops listening, lets requests under way finish (their answers have `Connection: close`), and cuts the rest off after
   * `graceMs`.
   */
  close(graceMs: number): Promise<void>;
}

/** How long a closing door goes on accepting requests that had arrived before, at most. */
const arrivedMs = 200;
/** How long connections are gated after one of them sent too many requests, or a body in too many tiny chunks. */
const gatedMs = 60_000;

const managementRoot = "/_api";
const openPath = "/_api/health";

export function createDoor(options: DoorOptions): Door {
  const { authenticator, ingress, limits } = options;
  /** Open connections, each with its requests. */
  const connections = new Map<Socket, Pipeline>();
  const turns = new Turns();
  const shared = { turns, room: new WaitingRoom(limits.waitingRequests) };
  const gates = new WeakMap<Socket, ByteGate>();
  let gatedUntil = Number.NEGATIVE_INFINITY;
  let draining = false;
  /** How many connections and requests have arrived so far. */
  let arrived = 0;
  let management: ManagementHandler | undefined;
  let loading: Promise<ManagementHandler> | undefined;

  const checkEveryMs = options.checkEveryMs ?? 1000;
  const stalled = new StalledReaders(connections, limits.responseStallMs, checkEveryMs);

  const server = createServer({
    IncomingMessage: countedRequest(gateAll),
    maxHeaderSize: limits.requestHeaderBytes,
    // Node refuses a longer time for the headers than for all.
    headersTimeout: Math.min(limits.requestHeadersMs, limits.requestMs),
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: checkEveryMs,
    // Checked here instead, so that the refusal has a body.
    requireHostHeader: false,
  });
  server.maxHeadersCount = limits.requestHeaderCount;
  server.on("connection", (socket: Socket) => {
    arrived += 1;
    const pipeline = new Pipeline(limits.pipelinedRequests, shared, begin);
    connections.set(socket, pipeline);
    socket.once("close", () => {
      connections.delete(socket);
      pipeline.end();
    });
    if (performance.now() < gatedUntil) gate(pipeline, socket);
  });
  server.on("request", (request, response) => receive({ request, response, expectation: "none" }));
  server.on("checkContinue", (request, response) => receive({ request, response, expectation: "held" }));
  server.on("checkExpectation", (request, response) => receive({ request, response, expectation: "unknown" }));
  server.on("connect", (request, socket) => {
    connections.get(request.socket)?.end();
    refuse(socket, new AppError("bad_target", "this is not a proxy"));
  });
  server.on(
    "clientError",
    createClientErrorHandler((socket) => {
      const pipeline = connections.get(socket as Socket);
      pipeline?.dropIncomplete();
      return pipeline?.latest;
    }),
  );

  /**
   * Waits until three turns of the loop bring nothing new: one turn accepts a single connection, the next reads its
   * request.
   */
  async function readArrived(): Promise<void> {
    const until = performance.now() + arrivedMs;
    let seen = -1;
    for (let quiet = 0; quiet < 3 && performance.now() < until; quiet++) {
      if (arrived !== seen) quiet = 0;
      seen = arrived;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  function gate(pipeline: Pipeline, socket: Socket): void {
    if (!gates.has(socket)) gates.set(socket, new ByteGate(socket, pipeline, turns));
  }

  /** A piece of bytes had too many requests or chunks: gates all connections for a while. */
  function gateAll(): void {
    gatedUntil = performance.now() + gatedMs;
    // The parser first has to finish the piece that it is reading.
    process.nextTick(() => connections.forEach(gate));
  }

  function receive(call: Call): void {
    const { socket } = call.request;
    const pipeline = connections.get(socket);
    if (pipeline === undefined || pipeline.closing || socket.destroyed) return;
    arrived += 1;
    if (pipeline.arrive(call)) return;
    pipeline.cut();
    gateAll();
  }

  function begin({ request, response, expectation }: Call, pipeline: Pipeline): void {
    if (pipeline.closing) {
      refuseAndClose(request, response, tooManyWaiting(limits));
      return;
    }
    if (draining && pipeline.waiting === 0) response.shouldKeepAlive = false;
    if (expectation === "held") holdBody(response);
    const url = request.url ?? "";
    const problem = envelopeProblem(request);
    if (problem !== undefined) refuseAndClose(request, response, problem);
    else if (url.startsWith(managementRoot)) route(request, response, url, expectation);
    else if (!url.startsWith("/")) refuseAndClose(request, response, badTarget(parseTarget(url)));
    else enter(request, response, undefined, expectation);
  }

  function refuseAndClose(request: IncomingMessage, response: ServerResponse, error: AppError): void {
    connections.get(request.socket)?.end();
    response.shouldKeepAlive = false;
    sendError(request, response, error);
  }

  function route(request: IncomingMessage, response: ServerResponse, url: string, expectation: Expectation): void {
    const target = parseTarget(url);
    if ("problem" in target || target.area === "management") setManagementHeaders(request, response);
    if ("problem" in target) sendError(request, response, badTarget(target));
    else if (target.area === "management") admit(request, response, target, expectation);
    else enter(request, response, target, expectation);
  }

  function admit(request: IncomingMessage, response: ServerResponse, target: Target, expectation: Expectation): void {
    const verdict = authenticator.check(request);
    const open = target.path === openPath && (request.method === "GET" || request.method === "HEAD");
    if (verdict !== "ok" && !open) refuseCall(request, response, refusal(verdict));
    else if (expectation === "unknown") sendError(request, response, unknownExpectation());
    else dispatch(request, response, { target, authenticated: verdict === "ok" });
  }

  function refuseCall(request: IncomingMessage, response: ServerResponse, error: AppError): void {
    options.onRefused?.(request, response, error);
    sendError(request, response, error);
  }

  function dispatch(request: IncomingMessage, response: ServerResponse, admission: Admission): void {
    if (management !== undefined) {
      management(request, response, admission);
      return;
    }
    loading ??= options.management();
    loading.then(
      (loaded) => {
        management = loaded;
        loaded(request, response, admission);
      },
      (error: unknown) => {
        loading = undefined;
        options.onError(error);
        sendError(request, response, error);
      },
    );
  }

  function enter(
    request: IncomingMessage,
    response: ServerResponse,
    target: Target | undefined,
    expectation: Expectation,
  ): void {
    if (expectation === "unknown") sendError(request, response, unknownExpectation());
    else ingress(request, response, target);
  }

  return {
    async listen(port, host) {
      const address = await listen(server, port, host);
      // For example, no file descriptor is left for a new connection: open connections are still served.
      server.on("error", options.onError);
      return address;
    },
    async close(graceMs) {
      draining = true;
      for (const { latest } of connections.values()) if (latest !== undefined) latest.shouldKeepAlive = false;
      await readArrived();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // An answer whose head had promised keep-alive leaves its connection idle.
      const sweep = setInterval(() => server.closeIdleConnections(), 20);
      const cut = (): void => {
        for (const socket of connections.keys()) socket.destroy();
      };
      // One turn later: if the loop was blocked, the timer that ends the last runs has fired just now, and their
      // answers are sent first.
      const limit = setTimeout(() => setImmediate(cut), graceMs);
      await closed;
      stalled.close();
      clearInterval(sweep);
      clearTimeout(limit);
    },
  };
}

function badTarget(target: Target | { readonly problem: string }): AppError {
  return new AppError("bad_target", "problem" in target ? target.problem : "the request target is not in normal form");
}

/** The answer to the first waiting request: earlier ones have been answered, and no later one is executed. */
function tooManyWaiting({ pipelinedRequests, waitingRequests }: Limits): AppError {
  return new AppError(
    "too_many_in_flight",
    `more than ${pipelinedRequests} requests wait on this connection, or ${waitingRequests} on all: read answers before you send more`,
  );
}

function unknownExpectation(): AppError {
  return new AppError("expectation_failed", "the only expectation that is met is '100-continue'");
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("listening", () => {
      server.off("error", reject);
      resolve(server.address() as AddressInfo);
    });
    const bind = (server as Server & Binding)._listen2;
    if (bind !== undefined && isIPv4(host)) bind.call(server, host, port, 4);
    else server.listen(port, host);
  });
}

/**
 * What `listen` of Node comes down to, under the name that it has kept for those who wrap it. Of any host's address `listen` asks whether it is a link-local one of
 * IPv6, by an expression that takes 9 ms to compile, and it loads `node:cluster`.
 */
interface Binding {
  readonly _listen2?: (address: string, port: number, family: 4) => void;
}
