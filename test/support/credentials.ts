/** Credentials as callers make them, with node:crypto alone, and a provider of keys for tokens. */
import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { TestContext } from "node:test";
import { epochMs } from "./clock.ts";
import { startHttpServer } from "./http-server.ts";

export type Sent = Readonly<Record<string, string>>;
export type Bytes = string | Uint8Array;

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

export function seconds(fromNow = 0): number {
  return Math.floor(epochMs() / 1000) + fromNow;
}

function hmac(secret: Bytes, parts: readonly Bytes[], encoding: "hex" | "base64"): string {
  const made = createHmac("sha256", secret);
  for (const part of parts) made.update(part);
  return made.digest(encoding);
}

/** Signs by Standard Webhooks 1.0.0 with one secret or several; `id` is the delivery's. */
export function standard(secrets: string | readonly string[], body: Bytes, id: string, at = seconds()): Sent {
  const keys = [secrets].flat().map((secret) => Buffer.from(secret.slice("whsec_".length), "base64"));
  const signatures = keys.map((key) => `v1,${hmac(key, [`${id}.${at}.`, body], "base64")}`);
  return { "webhook-id": id, "webhook-timestamp": String(at), "webhook-signature": signatures.join(" ") };
}

export function github(secret: string, body: Bytes, id: string): Sent {
  return { "x-hub-signature-256": `sha256=${hmac(secret, [body], "hex")}`, "x-github-delivery": id };
}

export function stripe(secrets: string | readonly string[], body: Bytes, at = seconds()): Sent {
  const signatures = [secrets].flat().map((secret) => `v1=${hmac(secret, [`${at}.`, body], "hex")}`);
  return { "stripe-signature": [`t=${at}`, ...signatures].join(",") };
}

export interface TokenKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly jwk: object;
}

export function tokenKey(kid: string): TokenKey {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { kid, privateKey, jwk: { ...publicKey.export({ format: "jwk" }), kid, alg: "ES256", use: "sig" } };
}

/** A JWT (RFC 7519) signed with ES256. */
export function jwt({ kid, privateKey }: TokenKey, claims: object, header: object = {}): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg: "ES256", typ: "JWT", kid, ...header })}.${part(claims)}`;
  const signature = sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return `${text}.${signature.toString("base64url")}`;
}

/** A JWKS server on loopback, which answers once `ready` has come. Each path below it is a provider of its own. */
export async function startProvider(
  t: TestContext,
  keys: readonly TokenKey[],
  ready: Promise<void> = Promise.resolve(),
) {
  const server = await startHttpServer(t, (_, response) => {
    response.setHeader("Content-Type", "application/jwk-set+json");
    void ready.then(() => response.end(JSON.stringify({ keys: keys.map(({ jwk }) => jwk) })));
  });
  const issuer = `${server.url}/`;
  /** A policy that lets in whoever has its tokens. */
  const policy = {
    principals: {
      idp: {
        ...{ type: "jwt", issuer, audience: "flows" },
        ...{ jwksUri: `${server.url}/jwks`, algorithms: ["ES256"] },
      },
    },
    rules: [{ allow: ["invoke"], principals: ["idp"] }],
  };
  const claims = (more: object = {}): object => ({
    iss: issuer,
    aud: "flows",
    sub: "alice",
    exp: seconds(600),
    ...more,
  });
  return { host: server.host, heard: server.heard, policy, claims };
}
