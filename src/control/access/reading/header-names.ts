/** Names of headers that a policy may take credentials from. */
import * as z from "zod";

/** The syntax of a token (RFC 9110 5.6.2). */
export const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;

/** Headers that mean something else to the server, to proxies, or to the other schemes. */
const taken: ReadonlySet<string> = new Set(
  (
    "accept authorization connection content-encoding content-length content-type cookie date expect forwarded host idempotency-key " +
    "keep-alive origin proxy-authorization te trailer transfer-encoding upgrade via webhook-id webhook-timestamp webhook-signature " +
    "x-forwarded-for x-forwarded-host x-forwarded-proto x-hub-signature-256 x-github-delivery stripe-signature"
  ).split(" "),
);

/** A header's name, in lower case. */
export const headerName = z.transform((value: unknown, { addIssue }): string => {
  const name = typeof value === "string" ? value.toLowerCase() : "";
  if (token.test(name) && !taken.has(name)) return name;
  addIssue("the name of a header is expected that has no other meaning, such as X-Shop-Key");
  return z.NEVER;
});

/**
 * Returns a header's only value; undefined: there is none. Node joins several of one name, and then they are no
 * credential.
 */
export function headerOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  name: string,
): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
