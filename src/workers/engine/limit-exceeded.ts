/** What a run fails with at one of its limits. */
import { howToRaise, type LimitName } from "../../shared/limits.ts";
import { FlowException } from "./exception.ts";

/** `bound` says how much there may be: `a split has at most 100 parts`. The message goes on with the limit's name and how it is raised. */
export function limitExceeded(name: LimitName, bound: string): FlowException {
  return new FlowException("LimitExceededException", `${bound}: ${howToRaise(name)}`);
}
