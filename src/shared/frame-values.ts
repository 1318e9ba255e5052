/** Values out of a frame or out of JSON, read as from a stranger: each reader throws for what is none; `what` names the value for the error. */

export function text(value: unknown, what: string): string {
  if (typeof value !== "string") throw new Error(`${what} is a text`);
  return value;
}

export function whole(value: unknown, what: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new Error(`${what} is a whole number`);
  return value as number;
}

/** Index of a step; -1 for none. */
export function stepOf(value: unknown): number {
  return wholeOrNone(value, "a step");
}

/** A whole number; -1 for none. */
export function wholeOrNone(value: unknown, what: string): number {
  return value === -1 ? -1 : whole(value, what);
}

/** Up to the last time that a Date has, in milliseconds. */
export function amount(value: unknown, what: string): number {
  if (typeof value !== "number" || !(value >= 0 && value <= 8.64e15)) throw new Error(`${what} is a number`);
  return value;
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("an object is missing");
  return value as Readonly<Record<string, unknown>>;
}
