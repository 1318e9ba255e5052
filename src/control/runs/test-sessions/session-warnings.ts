/** What whoever opens a session probably did not mean. */
import type { Mock, MockSet } from "../../../shared/mock.ts";
import type { Deployment } from "../../flows/deployment.ts";
import { targetName } from "./target-name.ts";
import type { SessionRequest } from "./test-service.ts";

export function warningsOf({ set, places, recordedFrom }: SessionRequest, deployment: Deployment): string[] {
  return [
    ...unreachable(set, places),
    ...set.mocks.flatMap((mock, i) => statuses(mock, places[i])),
    ...ambiguous(set, deployment),
    ...(recordedFrom === undefined || recordedFrom.hash === deployment.hash
      ? []
      : [
          `run '${recordedFrom.runId}' was recorded with another version of the flow (${recordedFrom.hash.slice(0, 12)}): steps and answers may have changed since`,
        ]),
  ];
}

/** One that takes every call hides those behind it. */
function unreachable({ mocks, targets }: MockSet, places: readonly string[]): string[] {
  const hiding = new Map<number, number>();
  return mocks.flatMap((mock, i) => {
    const by = hiding.get(mock.target);
    if (by === undefined && mock.when === undefined && (mock.times === 0 || mock.after !== "passthrough")) {
      hiding.set(mock.target, i);
    }
    const target = targets[mock.target];
    if (by === undefined || target === undefined) return [];
    return [`${places[i]} is never tried: ${places[by]} takes all calls of '${targetName(target)}'`];
  });
}

function statuses({ actions }: Mock, place = ""): string[] {
  const status = actions
    .flatMap((action) => (action.kind === "respond" ? [action.status ?? 0] : []))
    .find((s) => s >= 300);
  if (status === undefined) return [];
  return [
    `${place}: respond.status ${status} sets CamelHttpResponseCode and does not fail the step: to fail as an HTTP endpoint does, use throw with type HttpOperationFailedException and statusCode ${status}`,
  ];
}

function ambiguous({ targets }: MockSet, { manifest }: Deployment): string[] {
  return targets.flatMap((target) => {
    if (!("stepId" in target)) return [];
    // A clause's steps stand in the table once for each of its routes.
    const places = manifest.steps.flatMap(({ id, at }) => (id === target.stepId ? `${at.line}:${at.column}` : []));
    const times = new Set(places).size;
    return times < 2 ? [] : [`the flow has ${times} steps '${target.stepId}': the mocks are for all of them`];
  });
}
