/** Access tokens for client credentials (RFC 6749 4.4; Camel: OAuth2ClientConfigurer). */
import { FlowException } from "../../engine/exception.ts";
import type { Delivery, HttpClient } from "./client.ts";
import type { HttpOptions } from "./options.ts";
import { basic, type OAuth2Settings } from "./settings.ts";

interface Token {
  readonly value: string;
  /** When it expires, in `performance.now()` time. */
  readonly until: number;
}

const longestToken = 16_384;
/** The most tokens that a flow keeps; the oldest one makes room. */
const mostKept = 100;

/** The kept tokens of a flow's client, which its endpoints share: those that `toD` makes for each address, too (Camel: per host and client). */
const keptBy = new WeakMap<HttpClient, Map<string, Token>>();

/** The tokens of one endpoint. Each request gets a new token unless oauth2CacheTokens is set. */
export class AccessTokens {
  readonly #settings: OAuth2Settings;
  readonly #options: HttpOptions;
  readonly #client: HttpClient;
  readonly #kept: Map<string, Token>;

  constructor(settings: OAuth2Settings, options: HttpOptions, client: HttpClient) {
    this.#settings = settings;
    this.#options = options;
    this.#client = client;
    this.#kept = keptBy.get(client) ?? new Map();
    keptBy.set(client, this.#kept);
  }

  /** `host`: that of the request, with its port. Rejects with a FlowException. */
  async token(host: string, delivery: Delivery): Promise<string> {
    const { oauth2CacheTokens, oauth2CachedTokensExpirationMarginSeconds: margin } = this.#options;
    if (!oauth2CacheTokens) return (await this.#request(delivery)).value;
    const { oauth2Scope, oauth2ResourceIndicator, oauth2BodyAuthentication } = this.#options;
    const key = JSON.stringify([host, this.#settings, oauth2Scope, oauth2ResourceIndicator, oauth2BodyAuthentication]);
    const kept = this.#kept.get(key);
    if (kept !== undefined && performance.now() <= kept.until - margin * 1000) return kept.value;
    const token = await this.#request(delivery);
    this.#kept.delete(key);
    this.#kept.set(key, token);
    for (const oldest of this.#kept.keys()) if (this.#kept.size > mostKept) this.#kept.delete(oldest);
    return token.value;
  }

  async #request(delivery: Delivery): Promise<Token> {
    const { clientId, clientSecret, endpoint } = this.#settings;
    const { oauth2Scope, oauth2ResourceIndicator, oauth2BodyAuthentication } = this.#options;
    const form = new URLSearchParams({ grant_type: "client_credentials" });
    if (oauth2Scope !== undefined) form.set("scope", oauth2Scope);
    if (oauth2ResourceIndicator !== undefined) form.set("resource", oauth2ResourceIndicator);
    const headers = ["Content-Type", "application/x-www-form-urlencoded", "Accept", "application/json"];
    if (oauth2BodyAuthentication) {
      form.set("client_id", clientId);
      form.set("client_secret", clientSecret);
    } else headers.push("Authorization", basic(clientId, clientSecret));
    const began = performance.now();
    const { status, body } = await this.#client.send(
      { url: endpoint, method: "POST", headers, body: Buffer.from(form.toString()) },
      { ...delivery, ignoreBody: false },
    );
    if (status !== 200) throw refused(`answers with status ${status}`);
    const token = read(Buffer.from(body).toString());
    const seconds = Number(token.expires_in ?? this.#options.oauth2CachedTokensDefaultExpirySeconds);
    return { value: token.access_token, until: began + (Number.isFinite(seconds) ? seconds : 0) * 1000 };
  }
}

function read(text: string): { readonly access_token: string; readonly expires_in?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    const token = (value as { access_token?: unknown } | null)?.access_token;
    if (typeof token === "string" && token.length <= longestToken && /^[\x21-\x7e]+$/.test(token)) {
      return { access_token: token, expires_in: (value as { expires_in?: unknown }).expires_in };
    }
  } catch {
    // The error below reports it.
  }
  throw refused("gives no access_token");
}

function refused(what: string): FlowException {
  return new FlowException("java.io.IOException", `the OAuth2 token endpoint ${what}`);
}
