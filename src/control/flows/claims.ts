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
  /** The deployment failed: names belong to whom they belonged before. */
  release(): void;
  /** Flows whose names go to others of the same reservation. */
  readonly givers: readonly string[];
}

export class Claims {
  readonly #owners = new Map<string, Owner>();
  /** Flow id -> the keys that its live deployment owns. */
  readonly #owned = new Map<string, readonly string[]>();

  /** Throws route_taken, direct_taken or path_taken (409). */
  reserve(flowId: string, manifest: FlowManifest): Reservation {
    return this.reserveAll([{ flowId, manifest }]);
  }

  /** Reserves the names of flows that are deployed together, which may take names from each other, and from those that are `gone` then. Throws as `reserve`. */
  reserveAll(
    flows: readonly { readonly flowId: string; readonly manifest: FlowManifest }[],
    gone: readonly string[] = [],
  ): Reservation {
    const members = new Set([...flows.map(({ flowId }) => flowId), ...gone]);
    const next = new Map<string, Owner>();
    const wanted = flows.map(({ flowId, manifest }) => {
      const names = wantedNames(flowId, manifest);
      for (const name of names) {
        for (const key of [name.key, ...name.alsoTakenBy]) {
          const outside = this.#owners.get(key);
          const owner = next.get(key) ?? (outside && members.has(outside.flowId) ? undefined : outside);
          if (owner !== undefined && owner.flowId !== flowId) throw taken(name, owner);
        }
      }
      for (const { key, owner } of names) next.set(key, owner);
      return { flowId, keys: [...new Set(names.map(({ key }) => key))] };
    });
    const before = [...next.keys()].map((key) => [key, this.#owners.get(key)] as const);
    for (const [key, owner] of next) this.#owners.set(key, owner);
    const givers = before.flatMap(([key, owner]) =>
      owner !== undefined && owner.flowId !== next.get(key)?.flowId ? [owner.flowId] : [],
    );
    return {
      givers: [...new Set(givers)],
      commit: () => {
        for (const id of members)
          for (const key of this.#owned.get(id) ?? []) if (!next.has(key)) this.#owners.delete(key);
        for (const id of gone) this.#owned.delete(id);
        for (const { flowId, keys } of wanted) this.#owned.set(flowId, keys);
      },
      release: () => {
        for (const [key, owner] of before) {
          if (owner === undefined) this.#owners.delete(key);
          else this.#owners.set(key, owner);
        }
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
