/** `{"type": "jwt", "issuer", "audience", "algorithms", "jwksUri" | "jwks", "rolesClaim", "typ"}`. */
import * as z from "zod";
import { isFields, readOwn } from "../../../shared/document-fields.ts";
import type { JwtPrincipal } from "../principals.ts";
import { type KeySet, keySet, privatePart } from "../schemes/jose.ts";
import { jwksUriProblem } from "../schemes/provider-keys.ts";
import { policyText, texts } from "./reading.ts";

/**
 * Algorithms that are checked with a public key (RFC 7518 3.1, RFC 8037). `none` and those of a shared secret are not
 * among them.
 */
const accepted: ReadonlySet<string> = new Set(
  "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" "),
);
const maxKeys = 100;

const algorithms = texts().superRefine((names, { addIssue }) => {
  const bad = names.find((name) => !accepted.has(name));
  if (bad === undefined) return;
  const message = `'${bad.slice(0, 20)}' is not accepted, only ${[...accepted].join(", ")}`;
  addIssue({ code: "custom", message, params: { code: "jwt_algorithms" } });
});

const keysUri = z.transform((value: unknown, { addIssue }): string => {
  const url = typeof value === "string" && value.length <= 2048 && URL.canParse(value) ? new URL(value) : undefined;
  const problem = url === undefined ? "a URL is expected" : jwksUriProblem(url);
  if (problem !== undefined) addIssue(problem);
  return url?.href ?? "";
});

const inlineKeys = z.transform((value: unknown, { addIssue }): (() => Promise<KeySet | undefined>) => {
  const keys = isFields(value) ? readOwn(value, "keys") : undefined;
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > maxKeys || !keys.every(isFields)) {
    addIssue(`{"keys": [...]} with 1 to ${maxKeys} public keys is expected`);
  } else if (keys.some((key) => privatePart(key) !== undefined)) {
    const message =
      "a key with its private part is no secret any more: replace it at its owner and give the public part only";
    addIssue({ code: "custom", message, params: { code: "inline_secret" } });
  }
  let made: Promise<KeySet | undefined> | undefined;
  return () => {
    made ??= keySet(value);
    return made;
  };
});

export const jwtFields = {
  issuer: policyText.optional(),
  audience: texts().optional(),
  algorithms: algorithms.optional(),
  jwksUri: keysUri.optional(),
  jwks: inlineKeys.optional(),
  rolesClaim: policyText.optional(),
  typ: policyText.optional(),
};
type Sent = { readonly [Name in keyof typeof jwtFields]?: z.output<(typeof jwtFields)[Name]> };

/** A missing field never means "any" (RFC 8725 3.1, 3.8, 3.9). */
export function readJwt(sent: Sent, { addIssue }: z.RefinementCtx): Omit<JwtPrincipal, "name" | "roles" | "validity"> {
  const { issuer = "", audience = [], algorithms = [], jwksUri, jwks, rolesClaim, typ } = sent;
  const incomplete = (message: string): void =>
    addIssue({ code: "custom", path: [], message, params: { code: "jwt_incomplete" } });
  const missing = (["issuer", "audience", "algorithms"] as const).filter((name) => sent[name] === undefined);
  const keys = jwksUri ?? jwks;
  if (missing.length > 0) incomplete(`tokens need ${missing.join(", ")} to be checked`);
  if (keys === undefined || (jwksUri !== undefined && jwks !== undefined)) {
    incomplete("tokens need jwksUri or jwks to be checked with");
  }
  return { type: "jwt", issuer, audience, algorithms, keys: keys ?? "", rolesClaim, typ };
}
