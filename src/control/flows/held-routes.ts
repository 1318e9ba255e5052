/** Routes that wait because their runtime has restored data. */
import { type RouteManifest, waitsForStart } from "../../shared/manifest.ts";
import type { Deployment } from "./deployment.ts";

/** The ids of the routes that would run if they were not held. */
export function heldRoutes({ held, manifest, states }: Deployment): readonly string[] {
  if (!held) return [];
  const waits = (route: RouteManifest, index: number): boolean =>
    route.autoStartup && waitsForStart(manifest, route) && states.get(index) === "Stopped";
  return manifest.routes.filter(waits).map(({ id }) => id);
}

/** How the operator lets held routes begin. */
export const endOfHold =
  "bulkhead start --start begins all of them for good, POST /_api/flows/<id>/start those of a flow until the next start";
