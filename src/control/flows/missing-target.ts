/** Says why a `direct:` target of another flow cannot be called: nobody has it, or who has it does not run. */
import type { Diagnostic } from "../../shared/diagnostic.ts";
import { externalDirectOf } from "../../shared/external-direct.ts";
import { groupOf } from "../../shared/ids.ts";
import { type FlowEntry, type FlowRegister, statusOf } from "./flow-register.ts";

/** The most characters of a flow's own failure. */
const mostReason = 300;

/** Called when `LiveFlows.direct` has found none. The answer begins with the name of the endpoint. */
export function missingTarget(register: FlowRegister, callerId: string, name: string): string {
  const group = groupOf(callerId);
  const target = `'direct:${name}'`;
  const consumers = [...register.all()].flatMap((entry) => consumersIn(entry, group, name));
  // One of the caller's own group is the one that is meant.
  const consumer = consumers.find(({ entry }) => groupOf(entry.id) === group) ?? consumers[0];
  if (consumer !== undefined) return `${target} cannot be called: ${reasonOf(consumer, group)}`;
  const where = group === "" ? "without a group" : `of group '${group}'`;
  const nobody = `no deployed flow ${where} consumes ${target}, and none elsewhere shares it`;
  const unread = [...register.all()].filter((entry) => isUnread(entry) && groupOf(entry.id) === group);
  if (unread.length === 0) return nobody;
  const failed = unread.map(({ id }) => `'${id}'`);
  const more = failed.length > 5 ? ` and ${failed.length - 5} more` : "";
  return `${nobody}; it may be in a flow that could not be loaded: ${failed.slice(0, 5).join(", ")}${more}`;
}

type KnownFlow = Pick<FlowEntry, "id" | "manifest">;

/** Leaves out warnings of targets that one of these flows consumes, whether it runs or not. */
export function withoutFound(
  diagnostics: readonly Diagnostic[],
  callerId: string,
  flows: () => Iterable<KnownFlow>,
): readonly Diagnostic[] {
  return diagnostics.filter((diagnostic) => {
    const name = externalDirectOf(diagnostic);
    if (name === undefined) return true;
    for (const flow of flows()) if (consumersIn(flow, groupOf(callerId), name).length > 0) return false;
    return true;
  });
}

interface Consumer<F extends KnownFlow> {
  readonly entry: F;
  readonly routeIndex: number;
}

function consumersIn<F extends KnownFlow>(entry: F, group: string, name: string): readonly Consumer<F>[] {
  return (entry.manifest?.routes ?? []).flatMap(({ trigger }, routeIndex) => {
    if (trigger.kind !== "direct" || trigger.name !== name) return [];
    return trigger.shared || groupOf(entry.id) === group ? [{ entry, routeIndex }] : [];
  });
}

/** Whether nobody knows which routes the flow has. */
function isUnread({ manifest, state }: FlowEntry): boolean {
  return manifest === undefined && state === "Failed";
}

function reasonOf({ entry, routeIndex }: Consumer<FlowEntry>, group: string): string {
  const { id, error, manifest } = entry;
  const flow = `the flow '${id}', which consumes it,`;
  const state = statusOf(entry, routeIndex);
  if (state === "Failed") {
    // What is wrong with a flow of another group is not for this one to read.
    const why = error === undefined || groupOf(id) !== group ? "" : `: ${error.slice(0, mostReason)}`;
    return `${flow} has failed${why}`;
  }
  if (state === "Starting") return `${flow} is being started`;
  if (state === "Stopped" && entry.state === "Started") {
    return `route '${manifest?.routes[routeIndex]?.id}' of the flow '${id}', which consumes it, is stopped or suspended: start it`;
  }
  return `${flow} is stopped: start it`;
}
