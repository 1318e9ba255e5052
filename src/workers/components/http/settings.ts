/**
 * Computes the settings of an `http` endpoint from its options, once. Also used where flows are only checked, so
 * nothing here loads the client.
 */
import { howToRaise, type LimitName, type Limits } from "../../../shared/limits.ts";
import { boundedOption } from "../../engine/bounded-option.ts";
import { type HttpMethod, type HttpOptions, httpBounds } from "./options.ts";
import { encodeHttpUri, httpUrl, queryOf, withoutQuery } from "./uri-text.ts";

export interface HttpSettings {
  /** The absolute URI with the endpoint's query. */
  readonly uri: string;
  /** The query in `uri`, escaped; undefined without one. */
  readonly query: string | undefined;
  readonly options: HttpOptions;
  readonly method: HttpMethod | undefined;
  isOk(status: number): boolean;
  readonly connectMs: number;
  /** How long a request waits for a free connection. */
  readonly leaseMs: number;
  /** How long the server may send nothing. */
  readonly silenceMs: number;
  readonly totalMs: number;
  /** Which setting gives more time to connect, and for a longer silence. */
  readonly moreTime: { readonly connect: string; readonly silence: string };
  readonly connections: number;
  readonly connectionsPerOrigin: number;
  readonly authorization: Authorization | undefined;
  readonly oauth2: OAuth2Settings | undefined;
}

export interface Authorization {
  /** The value of the Authorization header. */
  readonly value: string;
  /** false: sent only when the server asks for it (Basic, as in Camel). */
  readonly atOnce: boolean;
}

export interface OAuth2Settings {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly endpoint: URL;
}

/** Camel: connectionsPerRoute. */
const usualPerOrigin = 20;
const clientOption = /^http(?:Client|Connection)\./;

/** Throws an Error that names the fault of the endpoint. */
export function settingsOf(
  scheme: "http" | "https",
  options: HttpOptions,
  parameters: readonly (readonly [name: string, value: string])[],
  limits: Limits,
): HttpSettings {
  const configured = parameters.find(([name]) => clientOption.test(name))?.[0];
  if (configured !== undefined) {
    throw new Error(`'${configured}' sets up Java's client: use connectTimeout, responseTimeout and soTimeout`);
  }
  const { url, uri } = address(scheme, options.httpUri, [...parameters, ...unnamed(options)]);
  const { connectTimeout, connectionRequestTimeout, responseTimeout, soTimeout, httpMethod } = options;
  const bounded = (option: keyof typeof httpBounds, value: number | undefined): number =>
    boundedOption(option, value, httpBounds[option], limits);
  const headersMs = bounded("soTimeout", soTimeout);
  return {
    uri,
    query: queryOf(uri),
    options,
    method: httpMethod,
    isOk: statusRange(options.okStatusCodeRange),
    connectMs: bounded("connectTimeout", connectTimeout),
    leaseMs: bounded("connectionRequestTimeout", connectionRequestTimeout),
    silenceMs: responseTimeout === undefined ? headersMs : bounded("responseTimeout", responseTimeout),
    totalMs: limits.outboundTotalMs,
    moreTime: {
      connect: more("connectTimeout", connectTimeout, "outboundConnectMs", limits),
      silence: more(
        responseTimeout === undefined ? "soTimeout" : "responseTimeout",
        responseTimeout ?? soTimeout,
        "outboundHeadersMs",
        limits,
      ),
    },
    connections: bounded("maxTotalConnections", options.maxTotalConnections),
    connectionsPerOrigin:
      options.connectionsPerRoute === undefined
        ? Math.min(usualPerOrigin, limits.outboundConnections)
        : bounded("connectionsPerRoute", options.connectionsPerRoute),
    authorization: authorizationOf(options, url),
    oauth2: oauth2Of(options),
  };
}

/** `connection` is a name with a #; anything else is for the server, as in Camel. */
function unnamed({ connection }: HttpOptions): readonly (readonly [name: string, value: string])[] {
  return connection === undefined || connection.startsWith("#") ? [] : [["connection", connection]];
}

/** Returns the options for a poll, which sends GET without a message. Throws for another method. */
export function pollingOptions(options: HttpOptions): HttpOptions {
  const { httpMethod = "GET" } = options;
  if (httpMethod !== "GET") throw new Error(`httpMethod is ${httpMethod}, and a poll sends GET: use 'to' or 'enrich'`);
  return { ...options, httpMethod, throwExceptionOnFailure: false, getWithBody: false, preserveHostHeader: false };
}

/** A scheme in the path takes precedence over the component's own (Camel: HttpComponent.createEndpoint). */
function address(
  scheme: "http" | "https",
  httpUri: string,
  parameters: readonly (readonly [name: string, value: string])[],
): { readonly url: URL; readonly uri: string } {
  const [, inner, rest = ""] = /^(?:(https?):)?\/*(.*)$/s.exec(httpUri.trim()) ?? [];
  const base = encodeHttpUri(`${inner ?? scheme}://${rest}`);
  // Written like Java's URLEncoder.
  const given = new URLSearchParams(parameters.map(([name, value]) => [name, value])).toString();
  const query = [queryOf(base), given].filter((part) => part !== undefined && part !== "").join("&");
  const uri = query === "" ? withoutQuery(base) : `${withoutQuery(base)}?${query}`;
  const url = httpUrl(uri);
  if (url === undefined) throw new Error(`'${httpUri.slice(0, 200)}' is no address to call: write http://host/path`);
  return { url, uri };
}

/** `200-204,209,301-304`: ranges are inclusive. */
function statusRange(text: string): HttpSettings["isOk"] {
  const ranges = text.split(",").map((part) => {
    const [, from, to = from] = /^\s*(\d{1,3})\s*(?:-\s*(\d{1,3})\s*)?$/.exec(part) ?? [];
    if (from === undefined) throw new Error(`okStatusCodeRange is '${text}': write it like 200-299 or 200-204,209`);
    return [Number(from), Number(to)] as const;
  });
  return (status) => ranges.some(([from, to]) => status >= from && status <= to);
}

/** Names the setting that raises the value: the option if it is lower than the limit, else the limit. */
function more(option: string, value: number | undefined, name: LimitName, limits: Limits): string {
  return value === undefined || value >= limits[name] ? howToRaise(name) : `raise the endpoint's ${option}`;
}

function authorizationOf(options: HttpOptions, url: URL): Authorization | undefined {
  const { authMethod, authUsername, authPassword, authBearerToken, authenticationPreemptive: atOnce } = options;
  if (authBearerToken !== undefined) {
    if (authMethod === "Basic" || authUsername !== undefined) {
      throw new Error("authBearerToken and authUsername exclude each other: keep one");
    }
    return { value: `Bearer ${authBearerToken}`, atOnce: true };
  }
  if (authMethod === "Bearer") throw new Error("authMethod Bearer needs authBearerToken");
  if ((authUsername === undefined) !== (authPassword === undefined)) {
    throw new Error("authUsername and authPassword belong together: give both");
  }
  if (authUsername !== undefined) return { value: basic(authUsername, authPassword ?? ""), atOnce };
  if (url.username !== "") {
    return { value: basic(decodeURIComponent(url.username), decodeURIComponent(url.password)), atOnce };
  }
  if (authMethod === "Basic" || atOnce) throw new Error("there are no credentials: give authUsername and authPassword");
  return undefined;
}

export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

function oauth2Of(options: HttpOptions): OAuth2Settings | undefined {
  const { oauth2ClientId: clientId, oauth2ClientSecret: clientSecret, oauth2TokenEndpoint: endpoint } = options;
  if (clientId === undefined && clientSecret === undefined && endpoint === undefined) return undefined;
  if (clientId === undefined || clientSecret === undefined || endpoint === undefined) {
    throw new Error("oauth2ClientId, oauth2ClientSecret and oauth2TokenEndpoint belong together: give all three");
  }
  const url = httpUrl(encodeHttpUri(endpoint));
  if (url === undefined) throw new Error("oauth2TokenEndpoint is no address to call: write https://host/path");
  return { clientId, clientSecret, endpoint: url };
}
