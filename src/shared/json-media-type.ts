/** Recognizes the media types of JSON (RFC 8259, RFC 6839). */

const json = /^\s*application\/(?:[\w.+-]*\+)?json\b/i;

/** `headers`: by name, in any case. */
export function saysJson(headers: Readonly<Record<string, unknown>>): boolean {
  const name = Object.keys(headers).find((key) => key.toLowerCase() === "content-type");
  const type = name === undefined ? undefined : headers[name];
  return typeof type === "string" && json.test(type);
}
