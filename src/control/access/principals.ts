/** The principals of a policy as they have been read: who may be recognised, and by what. */
import type { KeySet } from "./schemes/jose.ts";
import type { SignatureScheme } from "./schemes/signature-scheme.ts";
import type { Validity } from "./validity.ts";

interface Named {
  readonly name: string;
  readonly roles: readonly string[];
  readonly validity: Validity;
}

export interface ApiKeyPrincipal extends Named {
  readonly type: "apiKey";
  /** Several: an old and a new one while they are exchanged. */
  readonly keys: readonly ApiKey[];
  /** In lower case: a header that keys may come in besides Authorization and X-API-Key. */
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
  /** Names of secrets, any of which may have signed. */
  readonly secretRefs: readonly string[];
  readonly toleranceMs: number;
}

export interface JwtPrincipal extends Named {
  readonly type: "jwt";
  readonly issuer: string;
  readonly audience: readonly string[];
  readonly algorithms: readonly string[];
  /** The header's `typ` must be this one. */
  readonly typ: string | undefined;
  readonly rolesClaim: string | undefined;
  /** A URL, or what gives the document's own keys. */
  readonly keys: string | (() => Promise<KeySet | undefined>);
}

export type KnownPrincipal = ApiKeyPrincipal | HmacPrincipal | JwtPrincipal;

export interface Principals {
  readonly apiKeys: readonly ApiKeyPrincipal[];
  readonly hmacs: readonly HmacPrincipal[];
  readonly jwts: readonly JwtPrincipal[];
  /** Of all that the document names, also of those that could not be read and so are nobody. */
  readonly names: ReadonlySet<string>;
}

export const noPrincipals: Principals = { apiKeys: [], hmacs: [], jwts: [], names: new Set() };
