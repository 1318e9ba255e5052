/** Logins at an OpenID Connect provider: authorization code with PKCE. */
import * as client from "openid-client";
import { type Role, roles, type User } from "../../shared/wire.ts";
import { limits } from "../limits.ts";
import { messageOf, Refused } from "../refused.ts";
import type { OidcSettings } from "./oidc-settings.ts";

interface Begun {
  readonly redirectUri: string;
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
  /** Monotonic time in ms. */
  readonly until: number;
}

export class OidcLogin {
  readonly #settings: OidcSettings;
  #provider: Promise<client.Configuration> | undefined;
  /** By the id in the browser's cookie; the oldest first. */
  readonly #begun = new Map<string, Begun>();

  constructor(settings: OidcSettings) {
    this.#settings = settings;
  }

  /** Returns the provider's address for this login, and the id that the browser keeps until it comes back. Throws Refused. */
  async begin(redirectUri: string): Promise<{ readonly url: URL; readonly id: string }> {
    const provider = await this.#discover();
    const [id, verifier] = [client.randomState(), client.randomPKCECodeVerifier()];
    const [state, nonce] = [client.randomState(), client.randomNonce()];
    const until = performance.now() + limits.providerLoginMs;
    this.#begun.set(id, { redirectUri, verifier, state, nonce, until });
    for (const [oldest, begun] of this.#begun) {
      if (this.#begun.size <= limits.providerLogins && begun.until > performance.now()) break;
      this.#begun.delete(oldest);
    }
    const url = client.buildAuthorizationUrl(provider, {
      ...{ redirect_uri: redirectUri, scope: this.#settings.scope, state, nonce },
      ...{ code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" },
    });
    return { url, id };
  }

  /** Returns who came back from the provider. `search`: of the address that it has sent the browser to. Throws Refused. */
  async finish(id: string, search: string): Promise<User> {
    const begun = this.#begun.get(id);
    this.#begun.delete(id);
    if (begun === undefined || begun.until <= performance.now())
      throw new Refused(400, "the login was not begun here, or too long ago: begin it again");
    const provider = await this.#discover();
    let claims: Readonly<Record<string, unknown>>;
    try {
      const tokens = await client.authorizationCodeGrant(provider, new URL(`${begun.redirectUri}${search}`), {
        pkceCodeVerifier: begun.verifier,
        expectedState: begun.state,
        expectedNonce: begun.nonce,
        idTokenExpected: true,
      });
      claims = await this.#claimsOf(provider, tokens);
    } catch (error) {
      throw new Refused(
        401,
        `the provider has not let you in (${messageOf(error).slice(0, 200)}): begin the login again`,
      );
    }
    return this.#userOf(claims);
  }

  #userOf(claims: Readonly<Record<string, unknown>>): User {
    const { nameClaim, roleClaim, roleOf } = this.#settings;
    const names = [claims[nameClaim], claims["email"], claims["sub"]];
    const name = names.find((one): one is string => typeof one === "string" && one !== "") ?? "unknown";
    const given: Role[] = [claims[roleClaim] ?? [], "*"].flat().flatMap((value) => roleOf.get(String(value)) ?? []);
    const role = roles.findLast((one) => given.includes(one));
    if (role === undefined) {
      const shown = name.slice(0, 100);
      throw new Refused(
        403,
        `'${shown}' has no role here: OIDC_ROLES maps no value of the claim '${roleClaim}' to one`,
      );
    }
    return { name: name.slice(0, 200), role };
  }

  /** Providers put some claims into the answer of their userinfo endpoint only. */
  async #claimsOf(
    provider: client.Configuration,
    tokens: Awaited<ReturnType<typeof client.authorizationCodeGrant>>,
  ): Promise<Readonly<Record<string, unknown>>> {
    const claims = tokens.claims() ?? { sub: "" };
    const { nameClaim, roleClaim } = this.#settings;
    const isWhole = Object.hasOwn(claims, nameClaim) && Object.hasOwn(claims, roleClaim);
    if (isWhole || provider.serverMetadata().userinfo_endpoint === undefined) return claims;
    return { ...(await client.fetchUserInfo(provider, tokens.access_token, claims.sub)), ...claims };
  }

  /** The provider need not be there when the designer starts. */
  #discover(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    this.#provider ??= client
      .discovery(issuer, clientId, clientSecret, clientSecret === undefined ? client.None() : undefined, {
        // The settings allow http on this machine only.
        execute: issuer.protocol === "http:" ? [client.allowInsecureRequests] : [],
      })
      .catch((error: unknown) => {
        this.#provider = undefined;
        throw new Refused(
          502,
          `the provider at ${issuer.href} does not answer as one (${messageOf(error)}): see OIDC_ISSUER`,
        );
      });
    return this.#provider;
  }
}
