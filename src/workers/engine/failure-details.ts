/** What a trace event reports of a failure that ends no step: one that is tried again, or that was handled. */
import type { Limits } from "../../shared/limits.ts";
import type { WireError } from "../../shared/protocol.ts";
import type { Mask } from "../../shared/secret-mask.ts";
import { exceptionMessage, exceptionType } from "./exception.ts";
import { told } from "./telling.ts";

const mostMessage = 1000;

/** As JSON within `eventBytes`; the place of the error is the event's. */
export function failureDetails(
  { limits, mask }: { readonly limits: Limits; readonly mask: Mask },
  error: unknown,
  more: Readonly<Record<string, string | number>>,
): string {
  // JSON may make six characters of one, and there are two texts.
  const most = Math.min(mostMessage, Math.floor(limits.eventBytes / 16));
  const message = told(exceptionMessage(error), mask, most);
  const shown: WireError = { type: mask(exceptionType(error), most), message, stepId: null, line: null };
  return JSON.stringify({ error: shown, ...more });
}
