/** Who uses a mapping: steps of flows that run, and message mappings that look values up. */
import { AppError } from "../../shared/errors.ts";
import type { MappingKind, MappingUse } from "../../shared/mapping.ts";
import type { Deployment } from "../flows/deployment.ts";
import { nameOf } from "./mapping-kinds.ts";
import type { MappingRegister } from "./mapping-register.ts";

export interface MappingStepUser {
  readonly flowId: string;
  readonly routeId: string;
  readonly stepId: string;
}

/** A message mapping. */
export interface MappingMappingUser {
  readonly mapping: string;
}

export type MappingUser = MappingStepUser | MappingMappingUser;

/** Users that an answer lists, and those that a refusal names. */
const mostListed = 1000;
const mostNamed = 5;

/** Steps first, in the order of flows and of their steps. */
export function usersOf(
  kind: MappingKind,
  id: string,
  live: Iterable<Deployment>,
  register: MappingRegister,
): readonly MappingUser[] {
  const isThis = (use: MappingUse): boolean => use.kind === kind && use.id === id;
  const steps = [...live]
    .sort((a, b) => (a.flowId < b.flowId ? -1 : 1))
    .flatMap(({ flowId, manifest }) =>
      manifest.mappings.filter(isThis).map(({ routeId, stepId }) => ({ flowId, routeId, stepId })),
    );
  const mappings = kind === "message" ? [] : register.all("message").flatMap((known) => mappingUser(known, id));
  return [...steps, ...mappings].slice(0, mostListed);
}

function mappingUser(known: ReturnType<MappingRegister["all"]>[number], id: string): MappingMappingUser[] {
  return known.problem === undefined && known.facts.uses.includes(id) ? [{ mapping: known.id }] : [];
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
