/** Operations on URIs as text. */

const unsafe = /[ "<>#{}|\\^~`]|%(?![0-9A-Fa-f]{2})/g;

/**
 * Escapes characters that a URI cannot contain, and a `%` that begins no escape (Camel:
 * UnsafeUriCharactersEncoder.encodeHttpURI).
 */
export function encodeHttpUri(text: string): string {
  return text.replaceAll(unsafe, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: URL parsers leave them out, and another URL would be called.
const controls = /[\x00-\x1f\x7f]/;

/** Reads an `http:` or `https:` URL with a host; undefined for other text. */
export function httpUrl(text: string): URL | undefined {
  if (!/^https?:\/\/[^/?#]/i.test(text) || controls.test(text)) return undefined;
  return URL.parse(text) ?? undefined;
}

/** Removes the text from `?` on. */
export function withoutQuery(uri: string): string {
  const mark = uri.indexOf("?");
  return mark < 0 ? uri : uri.slice(0, mark);
}

/** Returns the text after `?`; undefined without one. */
export function queryOf(uri: string): string | undefined {
  const mark = uri.indexOf("?");
  return mark < 0 ? undefined : uri.slice(mark + 1);
}
