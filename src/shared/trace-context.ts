/** The header `traceparent` of W3C Trace Context, as requests and messages have it. */

const grammar = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}/;

/** Returns the id of the trace; undefined: there is no valid one. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  return traceparent === undefined ? undefined : grammar.exec(traceparent)?.[1];
}

/** The longest one that is read. Later versions of the standard may append fields. */
const mostChars = 200;

/** Returns a header's value when it is a valid traceparent: a text, or its bytes. */
export function traceparentIn(value: unknown): string | undefined {
  const text = value instanceof Uint8Array && value.length <= mostChars ? Buffer.from(value).toString("latin1") : value;
  return typeof text === "string" && text.length <= mostChars && traceIdOf(text) !== undefined ? text : undefined;
}
