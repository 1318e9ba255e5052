import type { MockTarget } from "../../../shared/mock.ts";

/** As people know it, and as calls are counted by: the step's id, or the pattern. */
export function targetName(target: MockTarget): string {
  return "stepId" in target ? target.stepId : target.uri;
}
