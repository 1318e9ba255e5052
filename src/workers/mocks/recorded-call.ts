/** A call that a mock has taken, from what the step saw to what came of it. */
import type { MockAction, MockedCall, RecordedMessage } from "../../shared/mock.ts";
import { redact } from "../../shared/redact.ts";
import type { Exchange } from "../engine/exchange.ts";
import { isStatus, recordedError, recordedMessage, recordedValues } from "../engine/recorded-message.ts";

export interface CallPlace {
  readonly stepId: string;
  readonly routeId: string;
  /** Of the endpoint, in normal form. */
  readonly uri: string | undefined;
}

/** What is known of the call when it begins. */
export interface BegunCall extends CallPlace {
  readonly seq: number;
  readonly mock: number;
  readonly target: number;
  readonly action: MockAction["kind"];
}

/** Notes the message as it is now; what is returned makes the record when the call has ended. */
export function recordCall(
  begun: BegunCall,
  exchange: Exchange,
): (failure?: { readonly error: unknown }) => MockedCall {
  const { run, message } = exchange;
  const { uri, ...call } = begun;
  const at = Date.now();
  const began = performance.now();
  const seen = recordedMessage(message.headers, message.body, run);
  const { values: properties } = recordedValues(exchange.properties, Math.floor(run.limits.recordedBytes / 4), run);
  const shown = uri === undefined ? undefined : redact(run.mask(uri, run.limits.previewBytes));
  const request = { ...seen, ...(shown !== undefined && { uri: shown }), properties };
  return (failure) => ({
    ...call,
    at,
    durationMs: Math.round((performance.now() - began) * 1000) / 1000,
    request,
    response: failure === undefined ? response(exchange) : null,
    error: failure === undefined ? null : recordedError(failure.error, run),
  });
}

function response({ message, run }: Exchange): RecordedMessage & { readonly status?: number } {
  const status = message.headers.get("CamelHttpResponseCode");
  const left = recordedMessage(message.headers, message.body, run);
  return isStatus(status) ? { ...left, status } : left;
}
