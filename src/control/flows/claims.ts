/** Which flow owns which route id, `direct:` name and HTTP path. Names are reserved before a flow is stored, so that a clash changes nothing. */
import { AppError, type ErrorCode } from "../../shared/errors.ts";
import { groupOf } from "../../shared/ids.ts";
import type { FlowManifest, HttpTrigger } from "../../shared/manifest.ts";
import { httpPathOf } from "./http-paths.ts";

interface Owner {
  readonly flowId: string;
  readonly routeId: string;
}

/** Names held for a deployment that is not live yet. */
export interface Reservation {
  /** The deployment is live: it owns these names and no others. */
  commit(): void;
  /** The deployment failed: names that the flow did not own before are free again. */
  release(): void;
}

export class Claims {
  readonly #owners = new Map<string, Owner>();
  /** Flow id -> the keys that its live deployment owns. */
  readonly #owned = new Map<string, readonly string[]>();

  /** Throws route_taken, direct_taken or path_taken (409). */
  reserve(flowId: string, manifest: FlowManifest): Reservation {
    const wanted = wantedNames(flowId, manifest);
    for (const name of wanted) {
      for (const key of [name.key, ...name.alsoTakenBy]) {
        const owner = this.#owners.get(key);
        if (owner !== undefined && owner.flowId !== flowId) throw taken(name, owner);
      }
    }
    const before = new Set(this.#owned.get(flowId) ?? []);
    for (const { key, owner } of wanted) this.#owners.set(key, owner);
    return {
      commit: () => {
        const now = new Set(wanted.map(({ key }) => key));
        for (const key of before) if (!now.has(key)) this.#owners.delete(key);
        this.#owned.set(flowId, [...now]);
      },
      release: () => {
        for (const { key } of wanted) if (!before.has(key)) this.#owners.delete(key);
      },
    };
  }

  /** Frees all names of a deleted flow. */
  free(flowId: string): void {
    for (const key of this.#owned.get(flowId) ?? []) this.#owners.delete(key);
    this.#owned.delete(flowId);
  }
}

interface WantedName {
  readonly code: ErrorCode;
  readonly key: string;
  /** Keys under which another flow may own the same thing. */
  readonly alsoTakenBy: readonly string[];
  /** The name in messages. */
  readonly what: string;
  readonly owner: Owner;
}

function wantedNames(flowId: string, { routes }: FlowManifest): readonly WantedName[] {
  return routes.flatMap(({ id, trigger }) => {
    const owner = { flowId, routeId: id };
    const route = named("route_taken", `route\n${id.toLowerCase()}`, `route id '${id}'`, owner);
    if (trigger.kind === "http") return [route, ...wantedPaths(trigger, owner)];
    if (trigger.kind !== "direct") return [route];
    // Every group finds a shared name, so it is claimed once for all groups.
    const scopes = trigger.shared ? [groupOf(flowId), "*"] : [groupOf(flowId)];
    const direct = (scope: string): WantedName =>
      named("direct_taken", `direct\n${scope}\n${trigger.name}`, `'direct:${trigger.name}'`, owner);
    return [route, ...scopes.map(direct)];
  });
}

function named(code: ErrorCode, key: string, what: string, owner: Owner): WantedName {
  return { code, key, alsoTakenBy: [], what, owner };
}

/** The methods that httpMethodRestrict can name; `*` stands for a route that takes every method. */
const methods = ["*", "GET", "HEAD", "POST", "PUT", "DELETE", "TRACE", "OPTIONS", "CONNECT", "PATCH"];

/** Returns one name for each method, since the routes of a path may belong to different flows. */
function wantedPaths(trigger: HttpTrigger, owner: Owner): readonly WantedName[] {
  const path = httpPathOf(trigger).key;
  const keyOf = (method: string): string => `path\n${method}\n${path}`;
  return (trigger.methods.length === 0 ? ["*"] : trigger.methods).map((method) => ({
    code: "path_taken",
    key: keyOf(method),
    alsoTakenBy: (method === "*" ? methods : ["*"]).map(keyOf),
    what: `${method === "*" ? "a method" : method} of the path '${trigger.path}'`,
    owner,
  }));
}

function taken({ code, what, owner: { routeId } }: WantedName, owner: Owner): AppError {
  const cased =
    code === "route_taken" && owner.routeId !== routeId
      ? ` (as '${owner.routeId}': ids that differ only by case clash)`
      : "";
  return new AppError(
    code,
    `${what} belongs to flow '${owner.flowId}'${cased}: choose another name or delete that flow`,
  );
}
