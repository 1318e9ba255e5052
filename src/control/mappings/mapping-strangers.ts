/** What is said to those who make a mapping that is used by flows or message mappings of other groups. */
import { groupOf } from "../../shared/ids.ts";
import type { MappingKind, MappingUse, MappingWarning } from "../../shared/mapping.ts";
import type { Deployment } from "../flows/deployment.ts";
import { mayBring, mayUse, type Owned, ownedBy } from "./mapping-groups.ts";
import { nameOf } from "./mapping-kinds.ts";
import type { HeldMapping, MappingRegister } from "./mapping-register.ts";

/** Flows and mappings that a warning names. */
const mostNamed = 5;

/** A warning for a mapping whose users, flows that run or message mappings, are not given it; none: all of them may use it. */
export function warnOfStrangers(
  kind: MappingKind,
  mapping: Pick<HeldMapping, "id" | "facts">,
  live: Iterable<Deployment>,
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

/** Why a message mapping may not use the value mappings that it names. One that is not there is no problem: the check warns of it. */
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
