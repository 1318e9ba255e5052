/** What no store accepts, whatever it stores on. */
import { AppError } from "../../shared/errors.ts";
import { idProblem } from "../../shared/ids.ts";
import type { RevisionContent } from "./stores.ts";

/** bad_id, so that an id is a safe file name. `what` it is to name. */
export function refuseId(id: string, what = "flow"): void {
  const problem = idProblem(id);
  if (problem !== undefined) throw new AppError("bad_id", `'${id.slice(0, 140)}' is not a ${what} id: ${problem}`);
}

/** flow_invalid, body_too_large: what could not be loaded again after a restart. `mostBytes`: of the YAML. */
export function refuseContent({ yaml }: RevisionContent, mostBytes: number): void {
  if (yaml === "") throw new AppError("flow_invalid", "the flow's yaml is empty");
  if (!yaml.isWellFormed()) {
    throw new AppError("flow_invalid", "the flow's yaml has half of a surrogate pair, which UTF-8 cannot hold");
  }
  const bytes = Buffer.byteLength(yaml);
  if (bytes > mostBytes) {
    throw new AppError("body_too_large", `the flow's yaml has ${bytes} bytes, more than flowYamlBytes (${mostBytes})`);
  }
}

/** id_case_clash: on some disks the two would be one file. `ids`: those that exist; `what` they name. */
export function refuseCaseClash(id: string, ids: Iterable<string>, what = "flow"): void {
  for (const other of ids) {
    if (other !== id && other.toLowerCase() === id.toLowerCase()) {
      throw new AppError("id_case_clash", `'${id}' and the ${what} '${other}' differ only by case: choose another id`);
    }
  }
}

/** bad_request for a text that UTF-8 cannot hold. */
export function refuseHalfCharacters(text: string): void {
  if (!text.isWellFormed()) {
    throw new AppError("bad_request", "the text has half of a surrogate pair, which UTF-8 cannot hold");
  }
}

export function noSuchFlow(id: string): AppError {
  return new AppError("not_found", `there is no flow '${id}'`);
}
