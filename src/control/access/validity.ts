/** From when until when a credential is valid. */
import { type Fields, own, place, type Reading } from "./reading/reading.ts";

/** Milliseconds since 1970; `notBefore` is the first that is valid, `expiresAt` the first that is not any more. */
export interface Validity {
  readonly notBefore: number;
  readonly expiresAt: number;
}

export const always: Validity = { notBefore: Number.NEGATIVE_INFINITY, expiresAt: Number.POSITIVE_INFINITY };
const never: Validity = { notBefore: Number.POSITIVE_INFINITY, expiresAt: Number.NEGATIVE_INFINITY };

export const validityFields = ["notBefore", "expiresAt"] as const;

/** RFC 3339 5.6, with `Z` or an offset: a time without one would be another at each place. */
const dateTime = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** A date that cannot be read: never valid, with a warning. */
export function readValidity(fields: Fields, pointer: string, reading: Reading): Validity {
  const notBefore = instant(own(fields, "notBefore"), always.notBefore);
  const expiresAt = instant(own(fields, "expiresAt"), always.expiresAt);
  if (notBefore === undefined) bad("notBefore");
  if (expiresAt === undefined) bad("expiresAt");
  return notBefore === undefined || expiresAt === undefined ? never : { notBefore, expiresAt };

  function bad(name: string): void {
    const expected = "a date and time is expected, such as 2027-01-01T00:00:00Z";
    reading.bad(place(pointer, name), `${expected}: until then this is never valid`);
  }
}

/** Why it is not valid at this moment. */
export function invalidity({ notBefore, expiresAt }: Validity, now: number): "expired" | "not yet valid" | undefined {
  if (now >= expiresAt) return "expired";
  return now < notBefore ? "not yet valid" : undefined;
}

function instant(value: unknown, absent: number): number | undefined {
  if (value === undefined || value === null) return absent;
  if (typeof value !== "string") return undefined;
  const [, day] = dateTime.exec(value) ?? [];
  if (day === undefined) return undefined;
  const at = Date.parse(value);
  // Date.parse takes the 30th of February for the 2nd of March.
  const real = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(at) || Number.isNaN(real.getTime()) || real.toISOString().slice(0, 10) !== day ? undefined : at;
}
