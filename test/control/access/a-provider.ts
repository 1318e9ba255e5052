/** An identity provider on loopback: a real server of keys that tests can change, stop, or make fail. */
import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { JwksCache } from "../../../src/control/access/schemes/provider-keys.ts";
import type { EgressRule } from "../../../src/shared/egress.ts";
import { Clock, noon } from "./a-policy.ts";

export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

export interface Provider {
  readonly uri: string;
  readonly clock: Clock;
  readonly jwks: JwksCache;
  /** The number of requests that have arrived. */
  readonly requests: number;
  /** Sets the answer of later requests. */
  serve(keys: readonly SigningKey[]): void;
  answer(listener: RequestListener): void;
  /** A principal of the type jwt that trusts it. */
  principal(fields?: Record<string, unknown>): Record<string, unknown>;
}

export const issuer = "https://idp.example/realm";

export async function aKey(kid: string, alg = "ES256"): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}

export function aToken(
  key: SigningKey,
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): Promise<string> {
  const now = noon / 1000;
  const payload = { iss: issuer, aud: "flows", sub: "alice", iat: now, exp: now + 3600, ...claims };
  return new SignJWT(payload).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.privateKey);
}

/** `allow`: entries of EGRESS_ALLOW; without them loopback is out of reach. */
export async function aProvider(
  t: TestContext,
  keys: readonly SigningKey[],
  { allow, withinMs = 60_000 }: { readonly allow?: readonly EgressRule[]; readonly withinMs?: number } = {},
): Promise<Provider> {
  let requests = 0;
  let listener: RequestListener = served(keys);
  const open = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    requests += 1;
    open.add(response);
    listener(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const response of open) response.destroy();
    server.close();
  });
  const clock = new Clock();
  const rules = allow ?? [{ kind: "net", address: "127.0.0.1", bits: 32 }];
  const jwks = new JwksCache({ egress: () => ({ rules }), clock: clock.read, withinMs });
  const uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
  return {
    uri,
    clock,
    jwks,
    get requests() {
      return requests;
    },
    serve(next) {
      listener = served(next);
    },
    answer(next) {
      listener = next;
    },
    principal: (fields = {}) => ({
      type: "jwt",
      issuer,
      audience: "flows",
      jwksUri: uri,
      algorithms: ["ES256"],
      ...fields,
    }),
  };
}

function served(keys: readonly SigningKey[]): RequestListener {
  return (_request, response) => response.end(JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }));
}
