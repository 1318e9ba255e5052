/** Who may use a mapping: `team-a.codes` is for flows of group `team-a`, or for all when it is shared; one without a dot is for all. */
import { groupOf } from "../../shared/ids.ts";
import type { MappingFacts } from "../../shared/mapping.ts";

/** A mapping as far as it decides who may use it. */
export interface Owned {
  readonly id: string;
  readonly shared: boolean;
}

export function ownedBy({
  id,
  facts: { shared },
}: {
  readonly id: string;
  readonly facts: Pick<MappingFacts, "shared">;
}): Owned {
  return { id, shared };
}

/** `group`: of a flow, "" for one without. */
export function mayUse(group: string, { id, shared }: Owned): boolean {
  const owner = groupOf(id);
  return shared || owner === "" || owner === group;
}

/** A message mapping brings its value mappings along, so everybody who may use it has to be allowed to use them. */
export function mayBring(message: Owned, value: Owned): boolean {
  const audience = message.shared ? "" : groupOf(message.id);
  return mayUse(audience, value);
}
