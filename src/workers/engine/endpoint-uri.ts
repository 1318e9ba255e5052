/** Parses endpoint URIs for the check, and formats them in their normal form. */

/** A name and a value of the query; the indexes count characters from the start of the URI. */
interface UriOption {
  readonly name: string;
  readonly nameIndex: number;
  readonly value: string;
  readonly valueIndex: number;
}

export interface EndpointUri {
  readonly scheme: string;
  /** The text between the scheme's colon (and an optional `//`) and the query; "" without any. */
  readonly path: string;
  readonly pathIndex: number;
  readonly query: readonly UriOption[];
}

/** A URI that cannot be read; `index` counts characters from its start. */
export class EndpointUriError extends Error {
  readonly index: number;

  constructor(message: string, index: number) {
    super(message);
    this.name = "EndpointUriError";
    this.index = index;
  }
}

const schemeGrammar = /^[A-Za-z][A-Za-z0-9+.-]*/;

/**
 * Parses `timer://tick?period=5s`. `//` after the scheme has no meaning; `&amp;` separates as `&` does; values are
 * percent-decoded with `+` as a space, but `RAW(...)` and `RAW{...}` are kept as written (Camel:
 * URISupport.parseQuery). `isLenient`: whether a scheme's query may have names without a value (`?wsdl`). Throws
 * EndpointUriError.
 */
export function parseEndpointUri(text: string, isLenient: (scheme: string) => boolean = () => false): EndpointUri {
  const scheme = schemeGrammar.exec(text)?.[0];
  const next = scheme === undefined ? "" : text.charAt(scheme.length);
  if (scheme === undefined || (next !== "" && next !== ":" && next !== "?")) {
    throw new EndpointUriError(
      "an endpoint begins with its component: 'timer:tick', 'direct:name'",
      scheme?.length ?? 0,
    );
  }
  let start = scheme.length + (next === ":" ? 1 : 0);
  if (text.startsWith("//", start)) start += 2;
  const mark = text.indexOf("?", start);
  const pathEnd = mark < 0 ? text.length : mark;
  return {
    scheme,
    path: text.slice(start, pathEnd),
    pathIndex: start,
    query: mark < 0 ? [] : parseQuery(text, mark + 1, isLenient(scheme)),
  };
}

function parseQuery(text: string, start: number, lenient: boolean): UriOption[] {
  const options: UriOption[] = [];
  let at = start;
  while (at < text.length) {
    const equals = text.indexOf("=", at);
    const ampersand = text.indexOf("&", at);
    if (equals < 0 || (ampersand >= 0 && ampersand < equals)) {
      if (ampersand === at) {
        at = skipSeparator(text, at);
        continue;
      }
      if (lenient) {
        const end = ampersand < 0 ? text.length : ampersand;
        options.push({ name: decode(text.slice(at, end)), nameIndex: at, value: "", valueIndex: end });
        at = skipSeparator(text, end);
        continue;
      }
      throw new EndpointUriError(
        `the query part '${text.slice(at, ampersand < 0 ? text.length : ampersand)}' has no '=value'`,
        at,
      );
    }
    const { value, end } = readValue(text, equals + 1);
    options.push({ name: decode(text.slice(at, equals)), nameIndex: at, value, valueIndex: equals + 1 });
    at = skipSeparator(text, end);
  }
  return options;
}

function skipSeparator(text: string, at: number): number {
  if (at >= text.length) return at;
  return at + (text.startsWith("&amp;", at) ? 5 : 1);
}

function readValue(text: string, start: number): { value: string; end: number } {
  const open = text.startsWith("RAW(", start) ? ")" : text.startsWith("RAW{", start) ? "}" : undefined;
  if (open !== undefined) {
    const end = rawEnd(text, start + 4, open);
    if (end < 0) throw new EndpointUriError(`'${text.slice(start, start + 4)}' is not closed by '${open}'`, start);
    return { value: text.slice(start + 4, end), end: end + 1 };
  }
  const ampersand = text.indexOf("&", start);
  const end = ampersand < 0 ? text.length : ampersand;
  return { value: decode(text.slice(start, end)), end };
}

/** A RAW value ends at the first closing bracket before a separator or the end. */
function rawEnd(text: string, from: number, close: string): number {
  for (let end = text.indexOf(close, from); end >= 0; end = text.indexOf(close, end + 1)) {
    if (end + 1 === text.length || text[end + 1] === "&") return end;
  }
  return -1;
}

function decode(text: string): string {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced; // A single % stays, as in Camel.
  }
}

/** Formats `scheme:path?name=value&...`. Values are escaped only where reading them back requires it. */
export function formatEndpointUri(
  scheme: string,
  path: string,
  query: readonly { readonly name: string; readonly value: string }[],
): string {
  const head = path === "" ? scheme : `${scheme}:${path}`;
  if (query.length === 0) return head;
  return `${head}?${query.map(({ name, value }) => `${escaped(name)}=${escaped(value)}`).join("&")}`;
}

/** Formats an endpoint as Camel shows it: `mock:a` as `mock://a`. */
export function camelUri(uri: string): string {
  return uri.replace(/^([^:?]+):(?!\/\/)/, "$1://");
}

function escaped(text: string): string {
  return text.replaceAll(/[%&+=\s]|^RAW(?=[({])/g, (part) => [...part].map(percent).join(""));
}

function percent(character: string): string {
  const bytes = new TextEncoder().encode(character);
  return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}
