/**
 * `If-Match` and `If-None-Match` (RFC 9110 13.1) against a flow's entity tags: `"<hash>.<revision>"` and the bare hash.
 */
import { AppError } from "../../shared/errors.ts";
import type { FlowText } from "./stores.ts";

export interface Current {
  readonly hash: string;
  readonly revision: number | null;
}

export function currentOf(text: FlowText | undefined): Current | undefined {
  return text === undefined ? undefined : { hash: text.hash, revision: text.head?.revision ?? null };
}

/**
 * Throws precondition_failed (412). `current`: undefined when the resource does not exist; `what`: its name in
 * messages.
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
