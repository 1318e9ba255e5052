/** What a deployment would do to the routes that answer now. */
import type { FlowManifest } from "../../shared/manifest.ts";
import type { Plan } from "./flow-service.ts";

/** `unchanged`: the route's trigger stays as it is, a timer keeps its phase; one with another `from` is stopped and started. */
export function planOf(now: FlowManifest | undefined, next: FlowManifest | undefined): Plan {
  const before = new Map(now?.routes.map(({ id, uri }) => [id, uri]));
  const after = new Map(next?.routes.map(({ id, uri }) => [id, uri]));
  return {
    start: [...after].filter(([id, uri]) => before.get(id) !== uri).map(([id]) => id),
    stop: [...before].filter(([id, uri]) => after.get(id) !== uri).map(([id]) => id),
    unchanged: [...after].filter(([id, uri]) => before.get(id) === uri).map(([id]) => id),
  };
}
