/** Which route answers which path under /api. */

import { type Deployment, isStarted } from "../flows/deployment.ts";
import type { RunTrigger } from "../runs/run-record.ts";

export interface Webhook {
  readonly deployment: Deployment;
  readonly routeIndex: number;
  readonly path: string;
  /** As run records tell it, one object for all of them. */
  readonly trigger: RunTrigger;
  readonly started: boolean;
}

export class Webhooks {
  readonly #byPath = new Map<string, Webhook>();

  /** By the path exactly as it stands in the request line. */
  at(path: string): Webhook | undefined {
    return this.#byPath.get(path);
  }

  swap(now: Deployment | undefined, before: Deployment | undefined): void {
    for (const path of pathsOf(before)) this.#byPath.delete(path);
    now?.manifest.routes.forEach((route, routeIndex) => {
      if (route.trigger.kind !== "webhook") return;
      const path = `/api/${route.id}`;
      const trigger: RunTrigger = { kind: "webhook", uri: route.uri, method: "POST", path };
      this.#byPath.set(path, { deployment: now, routeIndex, path, trigger, started: isStarted(now, route) });
    });
  }
}

function pathsOf(deployment: Deployment | undefined): readonly string[] {
  if (deployment === undefined) return [];
  return deployment.manifest.routes.flatMap(({ id, trigger }) => (trigger.kind === "webhook" ? [`/api/${id}`] : []));
}
