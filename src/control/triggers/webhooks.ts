/** Finds the route that answers a path: webhooks under /api, and routes with a path of their own. */
import type { IncomingMessage } from "node:http";
import type { HttpTrigger } from "../../shared/manifest.ts";
import type { Deployment } from "../flows/deployment.ts";
import type { Target } from "../http/target.ts";
import type { RunTrigger } from "../runs/run-record.ts";
import { HttpRoutes } from "./http-routes.ts";

/** A request to a route with a path of its own, and what it matched. */
export interface HttpClaim {
  readonly http: HttpTrigger;
  readonly target: Target;
  readonly request: IncomingMessage;
  /** Names and values of the path's parameters. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

export interface Webhook {
  readonly deployment: Deployment;
  readonly routeIndex: number;
  readonly path: string;
  /** The trigger in run records, one object for all of them. */
  readonly trigger: RunTrigger;
  /** Present: the request is to a path of the route's own, under Camel's rules. */
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
  /** Routes with a path of their own. */
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
