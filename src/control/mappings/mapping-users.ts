/** Finds the users of a mapping, steps of live flows and message mappings, and those that may not use it because of their group. */
import { AppError } from "../../shared/errors.ts";
import { groupOf } from "../../shared/ids.ts";
import type { MappingKind, MappingUse, MappingWarning } from "../../shared/mapping.ts";
import type { Deployment } from "../flows/deployment.ts";
import {
  type HeldMapping,
  type MappingRegister,
  mayBring,
  mayUse,
  nameOf,
  type Owned,
  ownedBy,
} from "./mapping-register.ts";
import type { MappingUser } from "./mapping-service.ts";

/** The most users that an answer lists, and that a refusal or a warning names. */
const mostListed = 1000;
const mostNamed = 5;

/**
 * Returns the users of each mapping of the kind that has any: steps first, in the order of flows and of their steps,
 * then message mappings.
 */
export function usersByMapping(
  kind: MappingKind,
  live: Iterable<Deployment>,
  register: MappingRegister,
): ReadonlyMap<string, readonly MappingUser[]> {
  const users = new Map<string, MappingUser[]>();
  const add = (id: string, user: MappingUser): void => {
    const known = users.get(id);
    if (known === undefined) users.set(id, [user]);
    else if (known.length < mostListed) known.push(user);
  };
  for (const { flowId, manifest } of [...live].sort((a, b) => (a.flowId < b.flowId ? -1 : 1))) {
    for (const { kind: used, id, routeId, stepId } of manifest.mappings)
      if (used === kind) add(id, { flowId, routeId, stepId });
  }
  if (kind === "message") return users;
  for (const known of register.all("message")) {
    if (known.problem === undefined) for (const id of new Set(known.facts.uses)) add(id, { mapping: known.id });
  }
  return users;
}

export function inUse(kind: MappingKind, id: string, users: readonly MappingUser[]): AppError {
  const named = users.slice(0, mostNamed).map((user) => {
    if ("mapping" in user) return nameOf("message", user.mapping);
    return `flow '${user.flowId}' (route ${user.routeId}, step ${user.stepId})`;
  });
  const more = users.length - named.length;
  const rest = more > 0 ? ` and ${more} more` : "";
  return new AppError(
    "mapping_in_use",
    `the ${nameOf(kind, id)} is used by ${named.join(", ")}${rest}: change them first, or add force=true and their runs fail`,
  );
}

/** Returns a warning when live flows or message mappings use the mapping and may not; none when all of them may. */
export function warnOfStrangers(
  kind: MappingKind,
  mapping: Pick<HeldMapping, "id" | "facts">,
  live: Iterable<Pick<Deployment, "flowId" | "manifest">>,
  register: MappingRegister,
): readonly MappingWarning[] {
  const owned = ownedBy(mapping);
  const isThis = (use: MappingUse): boolean => use.kind === kind && use.id === mapping.id;
  const flows = [...live]
    .filter(({ flowId, manifest }) => manifest.mappings.some(isThis) && !mayUse(groupOf(flowId), owned))
    .map(({ flowId }) => `flow '${flowId}'`)
    .sort();
  const messages = kind === "message" ? [] : strangeMessages(owned, register);
  const strangers = [...flows, ...messages];
  if (strangers.length === 0) return [];
  const more = strangers.length > mostNamed ? ` and ${strangers.length - mostNamed} more` : "";
  const message =
    `${strangers.slice(0, mostNamed).join(", ")}${more} may not use it, and runs that need it fail: it is for flows ` +
    `of group '${groupOf(mapping.id)}' until its document says "shared": true`;
  return [{ code: "other_group", message }];
}

function strangeMessages(value: Owned, register: MappingRegister): string[] {
  return register
    .all("message")
    .filter((known): known is HeldMapping => known.problem === undefined && known.facts.uses.includes(value.id))
    .filter((known) => !mayBring(ownedBy(known), value))
    .map(({ id }) => nameOf("message", id));
}

/** Why a message mapping may not use the value mappings that it names. The check already warns of one that is missing. */
export function bringProblems(message: Owned, uses: readonly string[], register: MappingRegister): string[] {
  return uses
    .map((id) => register.held("value", id))
    .filter((held) => held !== undefined)
    .filter((held) => !mayBring(message, ownedBy(held)))
    .map(({ id }) => {
      const audience = message.shared || groupOf(message.id) === "" ? "flows of every group" : "flows of another group";
      return (
        `it uses the value mapping '${id}', which is for flows of group '${groupOf(id)}', and is itself for ${audience}: ` +
        `add "shared": true to the value mapping, or name this one '${groupOf(id)}.<name>' without sharing it`
      );
    });
}
