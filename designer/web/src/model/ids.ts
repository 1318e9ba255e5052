/** Ids of steps. */
import type { Branch, FlowTree, OtherNode, StepNode } from "./nodes.ts";

/** Returns `log-1`, or the next number that is free. */
export function newStepId(name: string, taken: ReadonlySet<string>): string {
  let number = 1;
  while (taken.has(`${name}-${number}`)) number += 1;
  return `${name}-${number}`;
}

/** All steps in the order of the text, a nested step after the one that holds it. */
export function allSteps({ routes, others }: FlowTree): StepNode[] {
  return [...others.flatMap(stepsOfOther), ...routes.flatMap(({ steps }) => stepsIn(steps))];
}

function stepsOfOther({ branches, route, children }: OtherNode): StepNode[] {
  return [...stepsOfBranches(branches), ...stepsIn(route?.steps ?? []), ...(children ?? []).flatMap(stepsOfOther)];
}

function stepsIn(steps: readonly StepNode[]): StepNode[] {
  return steps.flatMap((step) => [step, ...stepsOfBranches(step.branches)]);
}

function stepsOfBranches(branches: readonly Branch[]): StepNode[] {
  return branches.flatMap(({ steps }) => stepsIn(steps));
}

/** Ids of all steps, branches, triggers and elements of a flow. */
export function stepIds(flow: FlowTree): Set<string> {
  const ids = new Set<string>();
  for (const { id, branches } of allSteps(flow))
    for (const one of [id, ...branches.map((branch) => branch.id)]) if (one !== undefined) ids.add(one);
  for (const { trigger } of flow.routes) if (trigger?.id !== undefined) ids.add(trigger.id);
  for (const { id } of flow.others) if (id !== undefined) ids.add(id);
  return ids;
}

export function stepsWithoutId(flow: FlowTree): StepNode[] {
  return allSteps(flow).filter(({ id, shared }) => id === undefined && shared === undefined);
}
