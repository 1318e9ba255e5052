/** The `http` and `https` components (Camel: HttpComponent 4.22): one component, two names. What does the work loads with the first flow that calls out. */
import { type ComponentDefinition, defineComponent, type ProducerContext } from "../engine/component.ts";
import { LateModule } from "../engine/late-module.ts";
import type { Processor } from "../engine/processor.ts";
import type { Slots, Z } from "../engine/slots.ts";
import { notCalling } from "./http/not-calling.ts";
import type { HttpOptions } from "./http/options.ts";

const producers = new LateModule(() => import("./http/producer.ts"));

const noBeans = "there are no beans for it: leave it out";
const noProxy = "calls go to the server itself, whose address is checked: leave it out";
const noNtlm = "NTLM is not possible: use authMethod Basic or Bearer";
const noCookies = "cookies are not kept between calls: read Set-Cookie, and set Cookie";
const noTrust = "certificates are checked against Node's authorities and those of NODE_EXTRA_CA_CERTS: leave it out";
const noClient = "the client is the runtime's own: leave it out";

function options(z: Z, { text, flag, integer, duration, oneOf, only, refused }: Slots) {
  return z.object({
    httpUri: text(),
    httpMethod: oneOf(["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE", "PATCH"]).optional(),
    bridgeEndpoint: flag().default(false),
    throwExceptionOnFailure: flag().default(true),
    okStatusCodeRange: text().default("200-299"),
    copyHeaders: flag().default(true),
    skipControlHeaders: flag().default(false),
    skipRequestHeaders: flag().default(false),
    skipResponseHeaders: flag().default(false),
    ignoreResponseBody: flag().default(false),
    getWithBody: flag().default(false),
    deleteWithBody: flag().default(false),
    followRedirects: flag().default(false),
    connectionClose: flag().default(false),
    preserveHostHeader: flag().default(false),
    customHostHeader: text().optional(),
    userAgent: text().optional(),
    contentTypeCharsetEnabled: flag().default(true),
    multipartUpload: flag().default(false),
    multipartUploadName: text().default("data"),
    connectTimeout: duration().optional(),
    connectionRequestTimeout: duration().optional(),
    responseTimeout: duration().optional(),
    soTimeout: duration().optional(),
    maxTotalConnections: integer().optional(),
    connectionsPerRoute: integer().optional(),
    authMethod: oneOf(["Basic", "Bearer"]).optional(),
    authUsername: text().optional(),
    authPassword: text().optional(),
    authBearerToken: text().optional(),
    authenticationPreemptive: flag().default(false),
    oauth2ClientId: text().optional(),
    oauth2ClientSecret: text().optional(),
    oauth2TokenEndpoint: text().optional(),
    oauth2Scope: text().optional(),
    oauth2ResourceIndicator: text().optional(),
    oauth2BodyAuthentication: flag().default(false),
    oauth2CacheTokens: flag().default(false),
    oauth2CachedTokensDefaultExpirySeconds: integer().default(3600),
    oauth2CachedTokensExpirationMarginSeconds: integer().default(5),
    disableStreamCache: only(false, "an answer is read whole and may be read again and again: leave it out"),
    clearExpiredCookies: only(true, noCookies),
    useSystemProperties: only(false, noProxy),
    logHttpActivity: only(false, "use a log step, or watch the trace stream"),
    lazyStartProducer: only(false, "producers are made when the flow is deployed"),
    transferException: only(false, "Java objects cannot be received"),
    authDomain: refused(noNtlm),
    authHost: refused(noNtlm),
    cookieHandler: refused(noCookies),
    cookieStore: refused(noCookies),
    headerFilterStrategy: refused(
      "which headers pass is fixed, as Camel's default has it: use removeHeaders, or skipRequestHeaders",
    ),
    httpActivityListener: refused(noBeans),
    httpBinding: refused(noBeans),
    httpClient: refused(noClient),
    httpClientConfigurer: refused(noClient),
    httpClientOptions: refused(noClient),
    httpConnectionOptions: refused(noClient),
    httpContext: refused(noClient),
    clientBuilder: refused(noClient),
    clientConnectionManager: refused(noClient),
    sslContextParameters: refused(noTrust),
    x509HostnameVerifier: refused(noTrust),
    proxyHost: refused(noProxy),
    proxyPort: refused(noProxy),
    proxyAuthHost: refused(noProxy),
    proxyAuthPort: refused(noProxy),
    proxyAuthScheme: refused(noProxy),
    proxyAuthMethod: refused(noProxy),
    proxyAuthUsername: refused(noProxy),
    proxyAuthPassword: refused(noProxy),
    proxyAuthDomain: refused(noProxy),
    proxyAuthNtHost: refused(noProxy),
    nonProxyHosts: refused(noProxy),
    exchangePattern: refused("a call always waits for its answer: leave it out, or use wireTap"),
  });
}

function component(scheme: "http" | "https"): ComponentDefinition {
  return defineComponent({
    scheme,
    docs: `Calls a server over ${scheme.toUpperCase()}; its answer becomes the message. Options that it does not have are sent to the server as the query.`,
    path: "httpUri",
    options,
    lenient: true,
    secrets: {
      httpUri: "address",
      customHostHeader: "text",
      userAgent: "text",
      authUsername: "text",
      authPassword: "text",
      authBearerToken: "text",
      oauth2ClientId: "text",
      oauth2ClientSecret: "text",
      oauth2TokenEndpoint: "address",
      oauth2Scope: "text",
      oauth2ResourceIndicator: "text",
    },
    network: producers,
    loadedAhead: true,
    example: `to: ${scheme}://api.example.org/orders?httpMethod=POST&throwExceptionOnFailure=false`,
    producer: (given: HttpOptions, context: ProducerContext): Processor =>
      context.egress === undefined
        ? notCalling(scheme, given, context)
        : producers.module().httpProducer(scheme, given, context, context.egress),
  });
}

export const http = component("http");
export const https = component("https");
