/** Finds the credentials that a request presents, as far as they belong to a scheme of the policy. */
import type { IncomingHttpHeaders } from "node:http";
import { type Finding, type HmacPrincipal, invalid, type Principals } from "./principals.ts";
import { findApiKey } from "./schemes/api-key.ts";
import { looksLikeToken } from "./schemes/jwt.ts";

export interface Presented {
  /** Findings that are known at once. */
  readonly findings: readonly Finding[];
  /** A token that has yet to be verified. */
  readonly token: string | undefined;
  /** For each header with a signature, the principals whose signature it may be. */
  readonly signatures: readonly (readonly HmacPrincipal[])[];
}

export function keyHeaders({ apiKeys }: Principals): ReadonlySet<string> {
  const own = apiKeys.map(({ header }) => header).filter((header) => header !== undefined);
  return new Set(apiKeys.length === 0 ? [] : ["x-api-key", ...own]);
}

/** Headers that carry credentials of these principals. */
export function credentialHeaders(principals: Principals): ReadonlySet<string> {
  const { apiKeys, jwts, hmacs } = principals;
  const bearer = apiKeys.length + jwts.length > 0 ? ["authorization"] : [];
  return new Set([...bearer, ...keyHeaders(principals), ...hmacs.map(({ scheme }) => scheme.header)]);
}

export function presentedIn(headers: IncomingHttpHeaders, principals: Principals, now: number): Presented {
  const { apiKeys, jwts, hmacs } = principals;
  const findings: Finding[] = [];
  let token: string | undefined;
  for (const name of keyHeaders(principals)) {
    const value = headerOf(headers, name);
    if (value !== undefined) findings.push(findApiKey(value, apiKeys, now));
  }
  const [, scheme = "", value = ""] = /^([^ ]*) *(.*)$/s.exec(headers.authorization ?? "") ?? [];
  const bearer = /^bearer$/i.test(scheme);
  if ((bearer && apiKeys.length + jwts.length > 0) || (/^apikey$/i.test(scheme) && apiKeys.length > 0)) {
    const found = findApiKey(value, apiKeys, now);
    if (bearer && found.kind === "invalid" && jwts.length > 0 && looksLikeToken(value)) token = value;
    else findings.push(found.kind === "invalid" && bearer ? { ...found, token: true } : found);
  }
  const signed = Map.groupBy(hmacs, (principal) => principal.scheme.header);
  const signatures = [...signed].filter(([header]) => headers[header] !== undefined).map(([, own]) => own);
  return { findings, token, signatures };
}

/** Reduces several findings to one: valid credentials must all belong to one caller. */
export function oneOf(findings: readonly Finding[]): Finding | undefined {
  const bad = findings.find(({ kind }) => kind === "invalid") ?? findings.find(({ kind }) => kind === "unavailable");
  if (bad !== undefined) return bad;
  const ids = new Set(findings.map((finding) => (finding.kind === "known" ? finding.principal.id : "")));
  return ids.size > 1 ? invalid(`credentials of several principals at once: ${[...ids].join(", ")}`) : findings.at(-1);
}

/**
 * Returns a header's only value; undefined: there is none. Node joins several of one name, and then they are no
 * credential.
 */
function headerOf(headers: Readonly<Record<string, string | string[] | undefined>>, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
