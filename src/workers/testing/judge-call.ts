/** Decides whether a recorded call matches an expected call. */
import {
  bodyMismatches,
  type How,
  headerMismatches,
  type Mismatch,
  mismatches,
  mismatchText,
} from "../../shared/matchers.ts";
import type { RecordedMessage } from "../../shared/mock.ts";
import { hidden } from "../../shared/redact.ts";
import { regexCache } from "../engine/regex.ts";
import type { ExpectedCall } from "./assertion.ts";
import type { SeenCall } from "./evidence.ts";

/** `open`: the record does not suffice to decide; `why` gives the reason. */
export type CallVerdict =
  | { readonly kind: "fits" }
  | { readonly kind: "differs"; readonly mismatches: readonly Mismatch[] }
  | { readonly kind: "open"; readonly why: string };

type Budget = NonNullable<How["budget"]>;

export function judgeCall({ request }: SeenCall, expected: ExpectedCall, budget: Budget): CallVerdict {
  const how: How = { ...matching(budget), ...(request.redacted && { hides }) };
  const found = [
    ...(expected.uri === undefined ? [] : mismatches(expected.uri, request.uri, { ...how, path: "uri" })),
    ...(expected.headers === undefined ? [] : headers(expected.headers, request, how)),
  ];
  if (expected.body !== undefined) {
    const why = unreadable(request);
    if (why === undefined) found.unshift(...bodyMismatches(expected.body, bodyOf(request), { ...how, path: "body" }));
    // A certain mismatch outside the body decides without the body.
    else if (found.every(({ doubtful }) => doubtful)) return { kind: "open", why };
  }
  return verdictOf(found, budget);
}

export function verdictOf(found: readonly Mismatch[], budget: Budget): CallVerdict {
  const [first] = found;
  if (first === undefined) return { kind: "fits" };
  if (found.some(({ doubtful }) => doubtful !== true)) return { kind: "differs", mismatches: found };
  return { kind: "open", why: budget.left < 0 ? "too much to compare" : `a value is hidden or cut at ${first.path}` };
}

export function matching(budget: Budget): How {
  return { regex: matcherRegex, budget };
}

/** A header that was cut or left out of the record may still match. */
function headers(expected: NonNullable<ExpectedCall["headers"]>, request: RecordedMessage, how: How) {
  const found = headerMismatches(expected, request.headers, how);
  return request.cut === true ? found.map((one): Mismatch => ({ ...one, doubtful: true })) : found;
}

/** Returns why a body cannot be compared. A body that was cut is recorded as text. */
function unreadable({ cut, redacted, body, encoding }: RecordedMessage): string | undefined {
  if (cut === true && typeof body === "string") return "its body, or a header, was cut";
  return redacted === true && encoding !== undefined ? "something in its bytes is hidden" : undefined;
}

/** Compares bytes that are JSON as JSON, and other bytes as base64, as recorded. */
function bodyOf({ body, encoding }: RecordedMessage): unknown {
  if (encoding === undefined || typeof body !== "string") return body;
  const text = Buffer.from(body, "base64").toString();
  return /^\s*[[{]/.test(text) ? text : body;
}

function hides(value: unknown): boolean {
  if (typeof value === "string") return value.includes(hidden);
  return typeof value === "object" && value !== null && JSON.stringify(value).includes(hidden);
}

export interface Miss {
  readonly call: SeenCall;
  readonly mismatches: readonly Mismatch[];
}

const shownMismatches = 8;

/** Returns the mismatched call with the fewest mismatches, the earliest of equal ones. */
export function nearest(misses: readonly Miss[]): Miss | undefined {
  let best: Miss | undefined;
  for (const miss of misses) if (best === undefined || miss.mismatches.length < best.mismatches.length) best = miss;
  return best;
}

/** `call 3 (run 01JD...): body.id: expected 17, got 18; header orderId: expected "17", missing` */
export function missText({ call, mismatches }: Miss): string {
  const run = call.runId === undefined ? "" : ` (run ${call.runId})`;
  return `call ${call.seq}${run}: ${mismatchesText(mismatches)}`;
}

export function mismatchesText(mismatches: readonly Mismatch[]): string {
  const shown = mismatches.slice(0, shownMismatches).map(mismatchText).join("; ");
  const more = mismatches.length - shownMismatches;
  return more > 0 ? `${shown}; and ${more} more` : shown;
}

/** `$regex` of matchers: the pattern may match anywhere in the text. */
const compiled = regexCache();

/** Throws PatternSyntaxException. */
export function matcherRegex(pattern: string): (text: string) => boolean {
  return (text) => compiled(pattern).find(text);
}
