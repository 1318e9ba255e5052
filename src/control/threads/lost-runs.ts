/** What becomes of the runs of a thread that was killed: those that are not to blame and have done nothing yet begin anew, the others are lost. */
import { BodyKind } from "../../shared/protocol.ts";
import type { ActiveRun } from "./active-run.ts";
import type { Invocation } from "./invocation.ts";
import type { Kill } from "./kill.ts";

/**
 * The invocations that begin anew; all others have been told by then that they are lost. `culprit`: whose step the thread entered last,
 * as far as that is known; it may have been told of its end already. As long as nobody is to blame, each run may be the one that kills
 * threads, and none begins anew.
 */
export function settleLost(
  runs: readonly ActiveRun[],
  kill: Kill,
  culprit: ActiveRun | undefined,
  anew: boolean,
): readonly Invocation[] {
  const only = culprit ?? (runs.length === 1 ? runs[0] : undefined);
  const by = only?.invocation.runId;
  const again = runs.filter((run) => {
    return anew && only !== undefined && run !== only && mayBeginAgain(run) && run.invocation.again(kill, by);
  });
  const lost = runs.filter((run) => !again.includes(run));
  const others = lost.filter((run) => run !== only).map(({ invocation }) => invocation.runId);
  for (const run of lost) {
    const { invocation, reached } = run;
    invocation.lost({ kind: "killed", kill, culprit: run === only, by, others, reached });
  }
  return again.map(({ invocation }) => invocation);
}

/** What began inside the thread is gone with it; in a test session what it did has been counted. */
function mayBeginAgain({ hadEffect, cancelled, invocation: { bodyKind, mocks, deadline } }: ActiveRun): boolean {
  return !hadEffect && !cancelled && bodyKind !== BodyKind.held && mocks === undefined && Date.now() < deadline;
}
