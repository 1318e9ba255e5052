/** The options of an `http` endpoint as parsed by its schema (components/http.ts). Times in milliseconds. */

import type { LimitName } from "../../../shared/limits.ts";

/** The limits that options are bounded by. */
export const httpBounds = {
  connectTimeout: "outboundConnectMs",
  connectionRequestTimeout: "outboundTotalMs",
  responseTimeout: "outboundHeadersMs",
  soTimeout: "outboundHeadersMs",
  maxTotalConnections: "outboundConnections",
  connectionsPerRoute: "outboundConnections",
} as const satisfies Readonly<Record<string, LimitName>>;

export type HttpMethod = "GET" | "POST" | "PUT" | "DELETE" | "HEAD" | "OPTIONS" | "TRACE" | "PATCH";

/** Camel: HttpMethods. */
export const httpMethods: readonly HttpMethod[] = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE", "PATCH"];

export interface HttpOptions {
  readonly httpUri: string;
  /** The name of a connection behind a #; otherwise a part of the query. */
  readonly connection?: string | undefined;
  readonly httpMethod?: HttpMethod | undefined;
  readonly bridgeEndpoint: boolean;
  readonly throwExceptionOnFailure: boolean;
  readonly okStatusCodeRange: string;
  readonly copyHeaders: boolean;
  readonly skipControlHeaders: boolean;
  readonly skipRequestHeaders: boolean;
  readonly skipResponseHeaders: boolean;
  readonly ignoreResponseBody: boolean;
  readonly getWithBody: boolean;
  readonly deleteWithBody: boolean;
  readonly followRedirects: boolean;
  readonly connectionClose: boolean;
  readonly preserveHostHeader: boolean;
  readonly customHostHeader?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly contentTypeCharsetEnabled: boolean;
  readonly multipartUpload: boolean;
  readonly multipartUploadName: string;
  readonly connectTimeout?: number | undefined;
  readonly connectionRequestTimeout?: number | undefined;
  readonly responseTimeout?: number | undefined;
  readonly soTimeout?: number | undefined;
  readonly maxTotalConnections?: number | undefined;
  readonly connectionsPerRoute?: number | undefined;
  readonly authMethod?: "Basic" | "Bearer" | undefined;
  readonly authUsername?: string | undefined;
  readonly authPassword?: string | undefined;
  readonly authBearerToken?: string | undefined;
  readonly authenticationPreemptive: boolean;
  readonly oauth2ClientId?: string | undefined;
  readonly oauth2ClientSecret?: string | undefined;
  readonly oauth2TokenEndpoint?: string | undefined;
  readonly oauth2Scope?: string | undefined;
  readonly oauth2ResourceIndicator?: string | undefined;
  readonly oauth2BodyAuthentication: boolean;
  readonly oauth2CacheTokens: boolean;
  readonly oauth2CachedTokensDefaultExpirySeconds: number;
  readonly oauth2CachedTokensExpirationMarginSeconds: number;
}
