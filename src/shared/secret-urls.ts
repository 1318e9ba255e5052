/**
 * Spellings of a value that is a URL, or the beginning of one (`host`, `user:password@host/path`), as it is written
 * after parsing (WHATWG URL): the host in lower case and Punycode, no default port. Paths, queries and passwords count
 * on their own, too.
 */
import querystring from "node:querystring";

/** A shorter part of a URL would occur everywhere. */
const shortestPart = 8;

export function* urlSpellings(value: string): Iterable<string> {
  const whole = /^https?:\/\//i.test(value);
  const url = URL.parse(whole ? value : `http://${value}`);
  if (url === null) return;
  const { host, href, pathname, search, password } = url;
  yield whole ? href : href.slice("http://".length);
  // The host of a whole URL is mostly no secret.
  const parts = [whole ? "" : host, pathname + search, search.slice(1)];
  yield* parts.filter(({ length }) => length >= shortestPart);
  yield querystring.unescape(password);
}
