/** What no store accepts, whatever it stores on. */
import { AppError } from "../../shared/errors.ts";
import { idProblem } from "../../shared/ids.ts";
import type { RevisionContent } from "./stores.ts";

/** Throws bad_id, so that an id is a safe file name. `what`: what the id names, for messages. */
export function refuseId(id: string, what = "flow"): void {
  const problem = idProblem(id);
  if (problem !== undefined) throw new AppError("bad_id", `'${id.slice(0, 140)}' is not a ${what} id: ${problem}`);
}

/**
 * Throws flow_invalid or body_too_large for a text that could not be loaded after a restart. `mostBytes`: the limit of
 * the YAML.
 */
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

/**
 * Throws id_case_clash: some file systems would have one file for both. `ids`: the existing ones; `what`: what they
 * name, for messages.
 */
export function refuseCaseClash(id: string, ids: Iterable<string>, what = "flow"): void {
  for (const other of ids) {
    if (other !== id && other.toLowerCase() === id.toLowerCase()) {
      throw new AppError("id_case_clash", `'${id}' and the ${what} '${other}' differ only by case: choose another id`);
    }
  }
}

/** Throws bad_request for a text that UTF-8 cannot represent. */
export function refuseHalfCharacters(text: string): void {
  if (!text.isWellFormed()) {
    throw new AppError("bad_request", "the text has half of a surrogate pair, which UTF-8 cannot hold");
  }
}

export function noSuchFlow(id: string): AppError {
  return new AppError("not_found", `there is no flow '${id}'`);
}
