/** The time in which a credential is valid. */
import * as z from "zod";
import { type Fields, readOwn } from "../../shared/document-fields.ts";
import type { Path } from "../../shared/document-place.ts";
import { anything, type Reading } from "./reading/reading.ts";

/** Milliseconds since 1970; `notBefore` is the first moment that is valid, `expiresAt` the first that no longer is. */
export interface Validity {
  readonly notBefore: number;
  readonly expiresAt: number;
}

export const always: Validity = { notBefore: Number.NEGATIVE_INFINITY, expiresAt: Number.POSITIVE_INFINITY };
const never: Validity = { notBefore: Number.POSITIVE_INFINITY, expiresAt: Number.NEGATIVE_INFINITY };

/** The fields in a principal or a key; `readValidity` reads them. */
export const validityFields = { notBefore: anything, expiresAt: anything };

/** RFC 3339 5.6, with `Z` or an offset: a time without one would mean another moment in each time zone. */
const dateTime = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** Reads the dates. One that cannot be read means: never valid, with a warning. */
export function readValidity(from: Fields, path: Path, reading: Reading): Validity {
  const effect = "until then this is never valid";
  const [notBefore, expiresAt] = (["notBefore", "expiresAt"] as const).map((name) => {
    const value = readOwn(from, name) ?? undefined;
    return value === undefined ? always[name] : reading.read(instant, value, [...path, name], effect);
  });
  return notBefore === undefined || expiresAt === undefined ? never : { notBefore, expiresAt };
}

/** Returns why the credential is not valid at `now`. */
export function invalidity({ notBefore, expiresAt }: Validity, now: number): "expired" | "not yet valid" | undefined {
  if (now >= expiresAt) return "expired";
  return now < notBefore ? "not yet valid" : undefined;
}

const instant = z.transform((value: unknown, { addIssue }): number => {
  const at = typeof value === "string" ? millisecondsOf(value) : undefined;
  if (at === undefined) addIssue("a date and time is expected, such as 2027-01-01T00:00:00Z");
  return at ?? 0;
});

function millisecondsOf(text: string): number | undefined {
  const [, day] = dateTime.exec(text) ?? [];
  if (day === undefined) return undefined;
  const at = Date.parse(text);
  // Date.parse accepts the 30th of February as the 2nd of March.
  const real = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(at) || Number.isNaN(real.getTime()) || real.toISOString().slice(0, 10) !== day ? undefined : at;
}
