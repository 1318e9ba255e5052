/** Changes that every store refuses, on files and in memory: bad ids and texts, and preconditions that do not hold. */
import { AppError } from "../../shared/errors.ts";
import { flowIdProblem, idProblem } from "../../shared/ids.ts";
import type { FlowText, RevisionContent } from "./stores.ts";

/** Throws bad_id, so that an id is a safe file name. `what`: what the id names, for messages. */
export function refuseId(id: string, what = "flow"): void {
  const problem = what === "flow" ? flowIdProblem(id) : idProblem(id);
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

/** What a resource's entity tags are made of: `"<hash>.<revision>"` and the bare hash. */
export interface Current {
  readonly hash: string;
  readonly revision: number | null;
}

export function currentOf(text: FlowText | undefined): Current | undefined {
  return text === undefined ? undefined : { hash: text.hash, revision: text.head?.revision ?? null };
}

/**
 * Throws precondition_failed (412) when `If-Match` or `If-None-Match` (RFC 9110 13.1) does not hold. `current`:
 * undefined when the resource does not exist; `what`: its name in messages.
 */
export function assertPreconditions(
  current: Current | undefined,
  ifMatch: string | undefined,
  ifNoneMatch: string | undefined,
  what = "flow",
): void {
  if (ifMatch !== undefined && !matches(ifMatch, current)) {
    const now =
      current === undefined ? `there is no such ${what}` : `the ${what} is at "${current.hash}.${current.revision}"`;
    throw new AppError("precondition_failed", `If-Match does not hold: ${now}`);
  }
  if (ifNoneMatch !== undefined && matches(ifNoneMatch, current)) {
    throw new AppError("precondition_failed", `If-None-Match does not hold: the ${what} exists`);
  }
}

function matches(header: string, current: Current | undefined): boolean {
  if (current === undefined) return false;
  if (header.trim() === "*") return true;
  const tags = header.split(",").map((tag) => tag.trim().replace(/^W\//, "").replace(/^"|"$/g, ""));
  return tags.includes(current.hash) || tags.includes(`${current.hash}.${current.revision}`);
}
