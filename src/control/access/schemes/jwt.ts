/**
 * Tokens of identity providers (RFC 7519), checked by the best current practice (RFC 8725): explicit algorithms, issuer
 * and audience.
 */
import { isFields, readOwn } from "../../../shared/document-fields.ts";
import { type Finding, invalid, type JwtPrincipal } from "../principals.ts";
import { invalidity } from "../validity.ts";
import { type JwtClaims, unverifiedIssuer, verify } from "./jose.ts";
import type { JwksCache } from "./provider-keys.ts";

const maxTokenBytes = 8 * 1024;
const maxRoles = 100;

/** The name of a token's bearer: `idp:alice`. */
export function tokenId(provider: string, subject: string): string {
  return `${provider}:${subject}`;
}

/** Whether a text has the form of header, payload and signature in base64url: an API key is never taken for a token. */
export function looksLikeToken(text: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text);
}

/** Verifies a token. `iss`, not verified yet, selects the provider whose keys must have signed it. */
export async function findToken(
  token: string,
  principals: readonly JwtPrincipal[],
  now: number,
  jwks: JwksCache,
): Promise<Finding> {
  if (token.length > maxTokenBytes) return refused(`a token of more than ${maxTokenBytes} bytes`);
  const issuer = await unverifiedIssuer(token);
  let finding: Finding = refused(
    issuer === undefined ? "a malformed token" : "a token of an issuer that no principal has",
  );
  for (const principal of principals) {
    if (principal.issuer !== issuer) continue;
    const found = await checkToken(token, principal, now, jwks);
    if (found.kind === "known") return found;
    if (finding.kind !== "unavailable") finding = found;
  }
  return finding;
}

async function checkToken(token: string, principal: JwtPrincipal, now: number, jwks: JwksCache): Promise<Finding> {
  const { name, keys: from, validity } = principal;
  const problem = invalidity(validity, now);
  if (problem !== undefined) return refused(`principal '${name}' is ${problem}`);
  const keys = typeof from === "string" ? await jwks.keys(from) : await from();
  if (typeof keys !== "function")
    return { kind: "unavailable", reason: `principal '${name}': ${keys ?? "it has no keys"}` };
  let result = await verify(token, keys, { ...principal, now });
  if ("problem" in result && result.unknownKey && typeof from === "string") {
    const newer = await jwks.newer(from, keys);
    if (newer !== undefined) result = await verify(token, newer, { ...principal, now });
  }
  return "problem" in result ? refused(`principal '${name}': ${result.problem}`) : bearerOf(result.claims, principal);
}

/** Reads the bearer; a `sub` has at most 255 characters (OpenID Connect Core 2). */
function bearerOf(claims: JwtClaims, { name, roles, rolesClaim }: JwtPrincipal): Finding {
  const subject = claims["sub"];
  if (typeof subject !== "string" || !/^[^\p{Cc}]{1,255}$/u.test(subject))
    return refused(`principal '${name}': no usable sub`);
  const all = new Set([...roles, ...(rolesClaim === undefined ? [] : rolesOf(claims, rolesClaim))]);
  return { kind: "known", principal: { id: tokenId(name, subject), type: "jwt", roles: [...all] } };
}

/**
 * Reads roles from the claim of this name, or along a path through objects; a list of texts, or one text with spaces
 * between (`scope`, RFC 8693 4.2).
 */
function rolesOf(claims: JwtClaims, path: string): readonly string[] {
  let value: unknown = claims;
  if (Object.hasOwn(claims, path)) value = claims[path];
  else for (const name of path.split(".")) value = isFields(value) ? readOwn(value, name) : undefined;
  const list = typeof value === "string" ? value.split(" ") : Array.isArray(value) ? value : [];
  return list.filter((role): role is string => typeof role === "string" && role !== "").slice(0, maxRoles);
}

function refused(reason: string): Finding {
  return { ...invalid(reason), token: true } as Finding;
}
