/** The test sessions that a run is in. */
import type { ArmedMocks, Invocation } from "../threads/invocation.ts";
import type { RequestOf } from "./run-request.ts";

/** Those that it carries, or that the run above it is in, and those of its whole deployment; what is open for single runs goes first. */
export function mocksOf({
  mocks,
  parent,
  deployment,
}: RequestOf<Pick<Invocation, "mocks">>): readonly ArmedMocks[] | undefined {
  const carried = mocks ?? parent?.mocks;
  if (carried === undefined && deployment.mocks === undefined) return undefined;
  const all = [...new Set([...(carried ?? []), ...(deployment.mocks ?? [])])].filter(isArmed);
  if (all.length === 0) return undefined;
  return [...all.filter((one) => one.scope === "session"), ...all.filter((one) => one.scope === "deployment")];
}

function isArmed({ armed }: ArmedMocks): boolean {
  return armed;
}
