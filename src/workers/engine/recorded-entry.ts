/** A step of a run that is recorded, while it runs and afterwards. */
import type { StepManifest } from "../../shared/manifest.ts";
import type { RecordedError } from "../../shared/mock.ts";

export interface Entry {
  /** Index into the flow's step table. */
  readonly step: number;
  /** The step around it. */
  readonly around: Entry | undefined;
  /** Indexes of kept messages; undefined: left out, or there is none. */
  readonly in: number | undefined;
  out: number | undefined;
  timing: number;
  error: RecordedError | undefined;
  omitted: boolean;
  mocked: boolean;
  callsOut: boolean;
  /** What it has called is kept by itself: a mock in its place could not set the variable. */
  answersVariable: boolean;
  /** Steps have begun inside of it. */
  holdsSteps: boolean;
}

/** A replay puts a mock in its place. What begins steps of the flow has them replaced, unless it calls out beside them. */
export function leaves(
  { step, callsOut, answersVariable, mocked, holdsSteps }: Entry,
  steps: readonly StepManifest[],
): boolean {
  if (answersVariable) return false;
  return callsOut || (!holdsSteps && (mocked || mayLeave(steps[step])));
}

/** The step is replaced, or one around it; of undefined nothing is. */
export function isReplaced(entry: Entry | undefined, steps: readonly StepManifest[]): boolean {
  for (let one = entry; one !== undefined; one = one.around) if (leaves(one, steps)) return true;
  return false;
}

/** A tap is a run of its own, which a replay would not wait for. */
function mayLeave(step: StepManifest | undefined): boolean {
  return step?.outbound === true || step?.type === "wireTap";
}
