/** Finds the route that answers a request: webhooks under /api, and routes with an HTTP path (platform-http). */

import type { IncomingMessage } from "node:http";
import { AppError } from "../../shared/errors.ts";
import { isSteeringHeader } from "../../shared/http-headers.ts";
import type { HttpPath } from "../../shared/http-path.ts";
import type { HttpTrigger } from "../../shared/manifest.ts";
import type { Deployment } from "../flows/deployment.ts";
import { type HttpMatch, HttpPaths, httpPathOf } from "../flows/http-paths.ts";
import type { Target } from "../http/target.ts";
import type { RunTrigger } from "../runs/run-record.ts";

/** A request to a route with an HTTP path, and what it matched. */
export interface HttpClaim {
  readonly http: HttpTrigger;
  readonly target: Target;
  readonly request: IncomingMessage;
  /** The names and values of the path's parameters. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

export interface Webhook {
  readonly deployment: Deployment;
  readonly routeIndex: number;
  readonly path: string;
  /** The trigger in run records, one object for all of them. */
  readonly trigger: RunTrigger;
  /** Present: the request is to the HTTP path of a route, to which Camel's rules apply. */
  readonly claim: HttpClaim | undefined;
}

/** Returns the route's flow and id, by which access policies name it. */
export function calledOf({ deployment, routeIndex }: Pick<Webhook, "deployment" | "routeIndex">): {
  readonly flowId: string;
  readonly routeId: string;
} {
  return { flowId: deployment.flowId, routeId: deployment.manifest.routes[routeIndex]?.id ?? "" };
}

export class Webhooks {
  /** The routes with an HTTP path. */
  readonly claimed: HttpRoutes = new HttpRoutes();
  readonly #byPath = new Map<string, Webhook>();

  /** Finds a webhook by the path exactly as it stands in the request line. */
  at(path: string): Webhook | undefined {
    return this.#byPath.get(path);
  }

  swap(flowId: string, now: Deployment | undefined, before: Deployment | undefined): void {
    this.claimed.swap(flowId, now);
    for (const path of pathsOf(before)) this.#byPath.delete(path);
    now?.manifest.routes.forEach((route, routeIndex) => {
      if (route.trigger.kind !== "webhook") return;
      const path = `/api/${route.id}`;
      const trigger: RunTrigger = { kind: "webhook", uri: route.uri, method: "POST", path };
      this.#byPath.set(path, { deployment: now, routeIndex, path, trigger, claim: undefined });
    });
  }
}

function pathsOf(deployment: Deployment | undefined): readonly string[] {
  if (deployment === undefined) return [];
  return deployment.manifest.routes.flatMap(({ id, trigger }) => (trigger.kind === "webhook" ? [`/api/${id}`] : []));
}

export interface HttpRoute {
  readonly deployment: Deployment;
  readonly routeIndex: number;
  /** The endpoint's URI in normal form. */
  readonly uri: string;
  readonly path: HttpPath;
  readonly http: HttpTrigger;
}

/** Routes have the path of a request, and none accepts the request. */
export interface HttpRefusal {
  readonly error: AppError;
  /** The first of those routes: its policy decides whether the caller gets the error. */
  readonly route: HttpRoute;
}

/** Finds the route with an HTTP path that answers a request, by path, method, Content-Type and Accept (as Vert.x Web's router does). */
export class HttpRoutes {
  readonly #paths = new HttpPaths<HttpRoute>();
  readonly #byFlow = new Map<string, readonly HttpRoute[]>();

  /** Replaces a flow's routes in one turn: no request sees the routes of two deployments. */
  swap(flowId: string, now: Deployment | undefined): void {
    for (const route of this.#byFlow.get(flowId) ?? []) this.#paths.delete(route.path, route);
    this.#byFlow.delete(flowId);
    if (now === undefined) return;
    const routes = routesOf(now);
    if (routes.length === 0) return;
    for (const route of routes) this.#paths.add(route.path, route);
    this.#byFlow.set(flowId, routes);
  }

  /**
   * Finds the most specific route that takes the request; undefined: no route has its path. A refusal is
   * method_not_allowed, bad_request for a missing Content-Type where `consumes` names some, unsupported_media_type or
   * not_acceptable.
   */
  find(target: Target, request: IncomingMessage): HttpMatch<HttpRoute> | HttpRefusal | undefined {
    const allowed = new Set<string>();
    let first: HttpRoute | undefined;
    let refusal: AppError | undefined;
    for (const match of this.#paths.match(target.segments)) {
      const { http } = match.value;
      first ??= match.value;
      if (http.methods.length > 0 && !http.methods.includes(request.method as string)) {
        for (const method of http.methods) allowed.add(method);
        continue;
      }
      const problem = contentProblem(http, request);
      if (problem === undefined) return match;
      refusal ??= problem;
    }
    if (first === undefined) return undefined;
    const Allow = [...allowed].join(", ");
    const error = refusal ?? new AppError("method_not_allowed", `this path takes ${Allow}`, { Allow });
    return { error, route: first };
  }
}

function routesOf(deployment: Deployment): readonly HttpRoute[] {
  return deployment.manifest.routes.flatMap((route, routeIndex) => {
    const { trigger, uri } = route;
    if (trigger.kind !== "http") return [];
    return [{ deployment, routeIndex, uri, path: httpPathOf(trigger), http: trigger }];
  });
}

/** Returns why a route does not accept a request, as Vert.x Web's RouteState.matches: 400 without a Content-Type, 415 for a wrong one, 406. */
function contentProblem({ consumes, produces }: HttpTrigger, { headers }: IncomingMessage): AppError | undefined {
  const type = headers["content-type"] ?? "";
  if (consumes.length > 0 && type === "") {
    return new AppError("bad_request", `send a Content-Type: this path takes ${consumes.join(", ")}`);
  }
  if (!isConsumed(consumes, type)) {
    return new AppError("unsupported_media_type", `this path takes ${consumes.join(", ")}`, {
      Accept: consumes.join(", "),
    });
  }
  if (!isAccepted(produces, headers.accept)) {
    return new AppError("not_acceptable", `this path answers ${produces.join(", ")}`);
  }
  return undefined;
}

/** The most characters of a path that a run record keeps. */
const pathCharacters = 256;

/** Makes the hook of a request to a route with an HTTP path, with what it matched. */
export function claimedHook(match: HttpMatch<HttpRoute>, target: Target, request: IncomingMessage): Webhook {
  const { deployment, routeIndex, uri, path, http } = match.value;
  return {
    deployment,
    routeIndex,
    path: target.path,
    trigger: { kind: "http", uri, method: request.method as string, path: target.path.slice(0, pathCharacters) },
    claim: { http, target, request, parameters: path.names.map((name, i) => [name, match.parameters[i] ?? ""]) },
  };
}

/**
 * Returns the headers that VertxPlatformHttpSupport.populateCamelHeaders adds to the request's, as `\nname\nvalue...`.
 * `CamelHttpUri` comes first, so that the flow's thread can find where the headers of the request end.
 */
export function claimHeaders({ target, request, parameters }: HttpClaim): string {
  const url = request.url as string;
  let text = `\nCamelHttpUri\n${url}\nCamelHttpUrl\n${originOf(request)}${url}\nCamelHttpPath\n${target.path}`;
  if (target.search !== "") text += `\nCamelHttpQuery\n${target.search}\nCamelHttpRawQuery\n${target.search}`;
  for (const [name, value] of target.query) text += headerOf(name, value);
  for (const [name, value] of parameters) text += `\n${name}\n${value}`;
  return text;
}

/**
 * Makes a header of a query parameter, except those that would steer Camel's components. A line break would begin
 * another header here: it becomes a space.
 */
export function headerOf(name: string, value: string): string {
  if (isSteeringHeader(name) || name === "" || name.includes("\n")) return "";
  return `\n${name}\n${value.replaceAll("\n", " ")}`;
}

/** Returns the request's origin; one without Host (HTTP/1.0) went to the socket's own address. */
function originOf({ headers, socket }: IncomingMessage): string {
  return `http://${headers.host ?? `${socket.localAddress}:${socket.localPort}`}`;
}

/** Whether one of the ranges (RFC 9110 12.5.1) covers the Content-Type; without ranges any type will do. Parameters other than `q` do not count. */
export function isConsumed(ranges: readonly string[], contentType: string): boolean {
  if (ranges.length === 0) return true;
  const type = mainPart(contentType);
  return ranges.some((range) => covers(range, type));
}

/** Whether a caller accepts one of the produced types; without an Accept header it accepts all. */
export function isAccepted(produces: readonly string[], accept: string | undefined): boolean {
  if (produces.length === 0 || accept === undefined || accept.trim() === "") return true;
  const ranges = accept.split(",").map(readRange);
  return produces.some((type) => weightOf(type, ranges) > 0);
}

interface Range {
  readonly range: string;
  readonly weight: number;
}

function readRange(text: string): Range {
  const [range = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  return { range, weight: q === undefined ? 1 : Number(q) };
}

/** Returns the weight of the most specific range that covers the type, or that a produced range covers. */
function weightOf(type: string, ranges: readonly Range[]): number {
  let best: Range | undefined;
  for (const candidate of ranges) {
    if (!covers(candidate.range, type) && !covers(type, candidate.range)) continue;
    if (best === undefined || specificity(candidate.range) > specificity(best.range)) best = candidate;
  }
  return best?.weight ?? 0;
}

function specificity(range: string): number {
  return range === "*/*" ? 0 : range.includes("*") ? 1 : 2;
}

function covers(range: string, type: string): boolean {
  const [main, sub] = range.split("/");
  const [otherMain, otherSub] = type.split("/");
  return (main === "*" || main === otherMain) && (sub === "*" || sub === otherSub);
}

/** Returns the type without its parameters, in lower case. */
export function mainPart(contentType: string): string {
  return (contentType.split(";")[0] as string).trim().toLowerCase();
}
