/** What a run fails with at one of its limits. */
import { defaultCeiling, type LimitName, limitVariable } from "../../shared/limits.ts";
import { FlowException } from "./exception.ts";

/** `bound` says how much there may be: `a split has at most 100 parts`. The message goes on with the limit's name and how it is raised. */
export function limitExceeded(name: LimitName, bound: string): FlowException {
  const own = defaultCeiling(name) === undefined ? "" : `, for this flow alone with '${name}' in its limits`;
  return new FlowException(
    "LimitExceededException",
    `${bound}: raise the limit ${name} with ${limitVariable(name)}${own}`,
  );
}
