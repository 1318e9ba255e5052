/** The server's answer to a failed call of the flow, for the run's record: redacted and cut. */
import type { RemoteAnswer } from "../../shared/protocol.ts";
import { redact, redactHeader } from "../../shared/redact.ts";
import { type Mask, maskMargin } from "../../shared/secret-mask.ts";
import { asText } from "./convert.ts";
import { FlowException } from "./exception.ts";
import { cut } from "./preview.ts";

/** The most bytes of the body, and of the headers' names and values together. */
const mostBytes = 4096;
const mostCauses = 10;

/** Returns the answer of the failure or of a cause; undefined without one. */
export function remoteAnswer(error: unknown, mask: Mask): RemoteAnswer | undefined {
  let cause = error;
  for (let depth = 0; depth < mostCauses && cause instanceof Error; depth += 1) {
    const details: Readonly<Record<string, unknown>> = cause instanceof FlowException ? cause.details : {};
    const { statusCode, responseHeaders, responseBody } = details;
    if (typeof statusCode === "number")
      return { status: statusCode, headers: headersOf(responseHeaders, mask), body: shown(responseBody ?? "", mask) };
    cause = cause.cause;
  }
  return undefined;
}

function headersOf(headers: unknown, mask: Mask): Readonly<Record<string, string>> {
  const kept: (readonly [name: string, value: string])[] = [];
  let left = mostBytes;
  for (const [name, value] of Object.entries(headers ?? {})) {
    const text = redactHeader(name, shown(Array.isArray(value) ? value.join(", ") : value, mask));
    left -= Buffer.byteLength(name) + Buffer.byteLength(text);
    if (left < 0) break;
    kept.push([name, text]);
  }
  return Object.fromEntries(kept);
}

/** Reads beyond the cut, so that a secret there is recognized and hidden. */
function shown(value: unknown, mask: Mask): string {
  return cut(redact(mask(asText(value).slice(0, mostBytes + maskMargin), mostBytes)), mostBytes);
}
