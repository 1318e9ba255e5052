/** Who owns which route id and which `direct:` name. Names are reserved before a flow is kept, so that a clash costs nothing. */
import { AppError } from "../../shared/errors.ts";
import { groupOf } from "../../shared/ids.ts";
import type { FlowManifest } from "../../shared/manifest.ts";

interface Owner {
  readonly flowId: string;
  readonly routeId: string;
}

/** Names held for a deployment that is not live yet. */
export interface Reservation {
  /** The deployment is live: it owns these names and no others. */
  commit(): void;
  /** It will not be: names that the flow did not own before are free again. */
  release(): void;
}

export class Claims {
  readonly #routes = new Map<string, Owner>();
  readonly #directs = new Map<string, Owner>();
  /** Flow id -> the keys that its live deployment owns. */
  readonly #owned = new Map<string, readonly string[]>();

  /** Throws route_taken or direct_taken (409). */
  reserve(flowId: string, manifest: FlowManifest): Reservation {
    const wanted = wantedKeys(flowId, manifest);
    for (const { key, name, kind } of wanted) {
      const owner = this.#table(kind).get(key);
      if (owner !== undefined && owner.flowId !== flowId) {
        const code = kind === "route" ? "route_taken" : "direct_taken";
        const what = kind === "route" ? `route id '${name}'` : `'direct:${name}'`;
        const cased =
          kind === "route" && owner.routeId !== name
            ? ` (as '${owner.routeId}': ids that differ only by case clash)`
            : "";
        throw new AppError(
          code,
          `${what} belongs to flow '${owner.flowId}'${cased}: choose another name or delete that flow`,
        );
      }
    }
    const before = new Set(this.#owned.get(flowId) ?? []);
    for (const { key, kind, owner } of wanted) this.#table(kind).set(key, owner);
    return {
      commit: () => {
        const now = new Set(wanted.map(({ key }) => key));
        for (const key of before) if (!now.has(key)) this.#drop(key);
        this.#owned.set(flowId, [...now]);
      },
      release: () => {
        for (const { key } of wanted) if (!before.has(key)) this.#drop(key);
      },
    };
  }

  /** A deleted flow owns nothing. */
  free(flowId: string): void {
    for (const key of this.#owned.get(flowId) ?? []) this.#drop(key);
    this.#owned.delete(flowId);
  }

  #table(kind: "route" | "direct"): Map<string, Owner> {
    return kind === "route" ? this.#routes : this.#directs;
  }

  #drop(key: string): void {
    this.#table(key.startsWith("route\n") ? "route" : "direct").delete(key);
  }
}

interface Wanted {
  readonly kind: "route" | "direct";
  readonly key: string;
  readonly name: string;
  readonly owner: Owner;
}

function wantedKeys(flowId: string, { routes }: FlowManifest): readonly Wanted[] {
  return routes.flatMap(({ id, trigger }) => {
    const owner = { flowId, routeId: id };
    const route: Wanted = { kind: "route", key: `route\n${id.toLowerCase()}`, name: id, owner };
    if (trigger.kind !== "direct") return [route];
    // A shared name is found from every group, so it is one for all of them.
    const scopes = trigger.shared ? [groupOf(flowId), "*"] : [groupOf(flowId)];
    return [
      route,
      ...scopes.map(
        (scope): Wanted => ({ kind: "direct", key: `direct\n${scope}\n${trigger.name}`, name: trigger.name, owner }),
      ),
    ];
  });
}
