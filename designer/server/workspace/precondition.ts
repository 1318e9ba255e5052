/** What a change of a file of the workspace demands of its present version. */
import { Refused } from "../refused.ts";

export interface Precondition {
  /** The value of `If-Match`. */
  readonly match?: string | undefined;
  /** `If-None-Match: *`: there is no such file. */
  readonly absent?: boolean | undefined;
}

/** Throws Refused (428) when a change says neither. `what`: what a new one is called. */
export function refuseUnconditional({ match, absent }: Precondition, what: string): void {
  if (match === undefined && absent !== true)
    throw new Refused(428, `send the version to replace as If-Match, or If-None-Match: * for a new ${what}`);
}

/** Whether the version of that tag may be changed; `etag` undefined: there is none. */
export function holds({ match }: Precondition, etag: string | undefined): boolean {
  if (etag === undefined) return match === undefined;
  if (match === undefined) return false;
  return match.split(",").some((one) => ["*", etag, etag.slice(1, -1)].includes(one.trim().replace(/^W\//, "")));
}
