/** The principals of a policy: who can be identified, by what, and what checking a credential finds. */
import type { Principal } from "./policy.ts";
import type { KeySet } from "./schemes/jose.ts";
import type { SignatureScheme } from "./schemes/signature-schemes.ts";
import type { Validity } from "./validity.ts";

interface Named {
  readonly name: string;
  readonly roles: readonly string[];
  readonly validity: Validity;
}

export interface ApiKeyPrincipal extends Named {
  readonly type: "apiKey";
  /** Several while an old key is exchanged for a new one. */
  readonly keys: readonly ApiKey[];
  /** A header that may carry keys besides Authorization and X-API-Key, in lower case. */
  readonly header: string | undefined;
}

export interface ApiKey {
  /** SHA-256 of the key's UTF-8 bytes. */
  readonly digest: Buffer;
  readonly validity: Validity;
}

export interface HmacPrincipal extends Named {
  readonly type: "hmac";
  readonly scheme: SignatureScheme;
  /** Names of secrets, any of which may have made the signature. */
  readonly secretRefs: readonly string[];
  readonly toleranceMs: number;
}

export interface JwtPrincipal extends Named {
  readonly type: "jwt";
  readonly issuer: string;
  readonly audience: readonly string[];
  readonly algorithms: readonly string[];
  /** The `typ` that the token's header must have. */
  readonly typ: string | undefined;
  readonly rolesClaim: string | undefined;
  /** The URL of the keys, or a function that returns the keys of the document. */
  readonly keys: string | (() => Promise<KeySet | undefined>);
}

export type KnownPrincipal = ApiKeyPrincipal | HmacPrincipal | JwtPrincipal;

export interface Principals {
  readonly apiKeys: readonly ApiKeyPrincipal[];
  readonly hmacs: readonly HmacPrincipal[];
  readonly jwts: readonly JwtPrincipal[];
  /** The names of all principals in the document, including those that could not be read, which match no caller. */
  readonly names: ReadonlySet<string>;
}

export const noPrincipals: Principals = { apiKeys: [], hmacs: [], jwts: [], names: new Set() };

/** The result of checking one credential. */
export type Finding =
  | { readonly kind: "known"; readonly principal: Principal; readonly forget?: () => void }
  /** `reason` is for the log. */
  | { readonly kind: "invalid"; readonly reason: string; readonly token?: true }
  /** Whether the credential is valid cannot be determined now. */
  | { readonly kind: "unavailable"; readonly reason: string };

export function invalid(reason: string): Finding {
  return { kind: "invalid", reason };
}
