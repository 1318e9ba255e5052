/**
 * Finds the route with a path of its own that answers a request, by path, method, Content-Type and Accept (Vert.x Web's
 * router).
 */
import type { IncomingMessage } from "node:http";
import { AppError } from "../../shared/errors.ts";
import type { HttpPath } from "../../shared/http-path.ts";
import type { HttpTrigger } from "../../shared/manifest.ts";
import type { Deployment } from "../flows/deployment.ts";
import { type HttpMatch, HttpPaths, httpPathOf } from "../flows/http-paths.ts";
import type { Target } from "../http/target.ts";
import { isAccepted, isConsumed } from "./media-types.ts";

export interface HttpRoute {
  readonly deployment: Deployment;
  readonly routeIndex: number;
  /** The endpoint's URI in normal form. */
  readonly uri: string;
  readonly path: HttpPath;
  readonly http: HttpTrigger;
}

/** Routes have the path, and none takes the request. */
export interface HttpRefusal {
  readonly error: AppError;
  /** The first of those routes: its policy decides whether the caller gets the error. */
  readonly route: HttpRoute;
}

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

/** As RouteState.matches: 400 without a Content-Type, 415 for another one, 406. */
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
