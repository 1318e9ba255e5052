/**
 * The `http` and `https` components (Camel: HttpComponent 4.22): one component with two names. Its implementation is
 * loaded with the first flow that makes calls.
 */

import type { HttpAccess } from "../connectors/http-access.ts";
import { type ComponentDefinition, defineComponent, type ProducerContext } from "../engine/component.ts";
import type { Connection } from "../engine/connections/connection.ts";
import type { EndpointContext } from "../engine/endpoint-context.ts";
import { FlowException } from "../engine/exception.ts";
import { LateModule } from "../engine/late-module.ts";
import type { Poller, PollerContext } from "../engine/poller.ts";
import type { Processor } from "../engine/processor.ts";
import type { Slots, Z } from "../engine/slots.ts";
import { type HttpOptions, httpBounds } from "./http/options.ts";
import { pollingOptions, settingsOf } from "./http/settings.ts";

const producers = new LateModule(() => import("./http/producer.ts"));
const pollers = new LateModule(() => import("./http/poller.ts"));

const noBeans = "there are no beans for it: leave it out";
const noProxy = "name a connection of the kind http that has the proxy: connection=#name";
const noNtlm = "NTLM is not possible: use authMethod Basic or Bearer";
const noCookies = "cookies are not kept between calls: read Set-Cookie, and set Cookie";
const noTrust =
  "certificates are always checked: name a connection of the kind http that has authorities and a client's certificate: connection=#name";
const noClient = "the client is the runtime's own: leave it out";
/** A poll sends GET without a message, and takes an answer of any status. */
const unpolled = (
  "bridgeEndpoint throwExceptionOnFailure okStatusCodeRange copyHeaders skipControlHeaders skipRequestHeaders getWithBody " +
  "deleteWithBody preserveHostHeader contentTypeCharsetEnabled multipartUpload multipartUploadName"
).split(" ");

type HttpContext = Pick<ProducerContext, "parameters" | "limits">;

function options(z: Z, { text, flag, integer, duration, oneOf, only, refused }: Slots) {
  return z.object({
    httpUri: text(
      "The address, such as `api.example.org/orders` behind the scheme; a port and a query may stand in it.",
    ),
    connection: text(
      "The named connection by which the server is called, such as `#bank`: client certificates, own authorities, a proxy, HTTP/2. Without a # the value is sent to the server, as a part of the query.",
    ).optional(),
    httpMethod: oneOf(
      ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE", "PATCH"],
      "The method. Without it the header CamelHttpMethod, else GET when there is a query or no body, else POST.",
    ).optional(),
    bridgeEndpoint: flag(
      "Hands a request on: the address is always the endpoint's, whatever the header CamelHttpUri says, and the answer comes as the server packs it.",
    ).default(false),
    throwExceptionOnFailure: flag(
      "An answer with another status than `okStatusCodeRange` fails the message; with `false` it becomes the message as any other.",
    ).default(true),
    okStatusCodeRange: text("Which statuses are well, such as `200-204,209,301-304`.").default("200-299"),
    copyHeaders: flag(
      "Keeps the message's own headers beside those of the answer; with `false` only the answer's stay.",
    ).default(true),
    skipControlHeaders: flag(
      "Does not read CamelHttpMethod, CamelHttpUri, CamelHttpPath and CamelHttpQuery of the message.",
    ).default(false),
    skipRequestHeaders: flag("Sends none of the message's headers.").default(false),
    skipResponseHeaders: flag("Takes none of the answer's headers but its status.").default(false),
    ignoreResponseBody: flag("Reads the answer's body away: the message has none then.").default(false),
    getWithBody: flag("Sends the body with GET, too.").default(false),
    deleteWithBody: flag("Sends the body with DELETE, too.").default(false),
    followRedirects: flag(
      "Goes where a redirect leads, up to the limit outboundRedirects; without this a redirect is an answer.",
    ).default(false),
    connectionClose: flag("Closes the connection after each request in place of keeping it for the next.").default(
      false,
    ),
    preserveHostHeader: flag("Sends the message's own Host header in place of the server's name.").default(false),
    customHostHeader: text("The Host header that is sent; `preserveHostHeader` comes before it.").optional(),
    userAgent: text("The User-Agent header where the message has none; `bulkhead` by default.").optional(),
    contentTypeCharsetEnabled: flag(
      "Writes the character set of a text into its Content-Type where it was named.",
    ).default(true),
    multipartUpload: flag("Sends the body as the one field of a form (multipart/form-data).").default(false),
    multipartUploadName: text("The name of the field that `multipartUpload` sends.").default("data"),
    connectTimeout: duration(
      "How long a connection may take to come about; at most, and by default, the limit outboundConnectMs.",
    ).optional(),
    connectionRequestTimeout: duration(
      "How long a request waits while all connections are in use; at most, and by default, the limit outboundTotalMs.",
    ).optional(),
    responseTimeout: duration(
      "How long the server may send nothing; at most the limit outboundHeadersMs, by default `soTimeout`.",
    ).optional(),
    soTimeout: duration(
      "How long nothing may come on the connection; at most, and by default, the limit outboundHeadersMs. `responseTimeout` comes before it.",
    ).optional(),
    maxTotalConnections: integer(
      "Connections at the same time, of a thread; at most, and by default, the limit outboundConnections.",
    ).optional(),
    connectionsPerRoute: integer("Connections at the same time to one server, of a thread; 20 by default.").optional(),
    authMethod: oneOf(
      ["Basic", "Bearer"],
      "`Basic` with `authUsername` and `authPassword`, or `Bearer` with `authBearerToken`; may be left out beside these.",
    ).optional(),
    authUsername: text("The name for Basic authentication.").optional(),
    authPassword: text("The password for Basic authentication. Write a secret: `{{secret:NAME}}`.").optional(),
    authBearerToken: text(
      "The token that is sent as `Authorization: Bearer`. Write a secret: `{{secret:NAME}}`.",
    ).optional(),
    authenticationPreemptive: flag(
      "Sends name and password with the first request; without this when the server asks for them.",
    ).default(false),
    oauth2ClientId: text(
      "The client's id for OAuth 2 (client credentials); it needs the secret and the token endpoint.",
    ).optional(),
    oauth2ClientSecret: text("The client's secret for OAuth 2. Write `{{secret:NAME}}`.").optional(),
    oauth2TokenEndpoint: text("The address of the OAuth 2 server that gives tokens.").optional(),
    oauth2Scope: text("The OAuth 2 scope that is asked for.").optional(),
    oauth2ResourceIndicator: text("The resource that the OAuth 2 token is for (RFC 8707).").optional(),
    oauth2BodyAuthentication: flag(
      "Sends id and secret in the body of the question for a token; without this as Basic authentication.",
    ).default(false),
    oauth2CacheTokens: flag(
      "Keeps a token until it runs out; without this there is a new one for each request.",
    ).default(false),
    oauth2CachedTokensDefaultExpirySeconds: integer(
      "How many seconds a token counts that does not say so itself.",
    ).default(3600),
    oauth2CachedTokensExpirationMarginSeconds: integer("How many seconds before its end a token is replaced.").default(
      5,
    ),
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
    exchangePattern: refused("a call always waits for its answer: leave it out, or use wireTap", "InOut"),
  });
}

/** Methods that change nothing. Without a method the message decides, which may make it a POST. */
const asking: ReadonlySet<unknown> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

function component(scheme: "http" | "https"): ComponentDefinition {
  return defineComponent({
    scheme,
    docs: `Calls a server over ${scheme.toUpperCase()}; its answer becomes the message. Options that it does not have are sent to the server as the query.`,
    path: "httpUri",
    connects: { kinds: ["http"], option: "connection", unless: [], marked: true, optional: true },
    options,
    lenient: true,
    bounds: httpBounds,
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
    example: `to: { uri: "${scheme}://api.example.org/orders?httpMethod=POST&throwExceptionOnFailure=false" }`,
    ends: { consumer: [], producer: [], unpolled },
    pollEffect: "reads",
    poller(given: HttpOptions, context: PollerContext): Poller {
      const connection = connectionOf(given, context);
      return context.egress === undefined
        ? notPolling(scheme, given, context)
        : pollers.module().httpPoller(scheme, given, context, context.egress, connection);
    },
    effect: ({ httpMethod }: HttpOptions) => (asking.has(httpMethod) ? "reads" : "writes"),
    producer(given: HttpOptions, context: ProducerContext): Processor {
      const connection = connectionOf(given, context);
      return context.egress === undefined
        ? notCalling(scheme, given, context)
        : producers.module().httpProducer(scheme, given, context, context.egress, connection);
    },
  });
}

/** Returns the connection that the endpoint names, and declares it. */
function connectionOf(
  { connection: reference }: HttpOptions,
  context: Pick<EndpointContext, "connection" | "warn">,
): Connection<HttpAccess> | undefined {
  if (reference === undefined) return undefined;
  if (!reference.startsWith("#")) {
    context.warn(
      "connection_in_query",
      `connection=${reference.slice(0, 100)} goes to the server as a part of the query: write connection=#${reference.slice(0, 100)} for the named connection`,
    );
    return undefined;
  }
  return context.connection({ kinds: ["http"], option: "connection", reference });
}

export const http = component("http");
export const https = component("https");

/** Throws an Error that names the fault of the endpoint. */
export function notCalling(scheme: "http" | "https", options: HttpOptions, context: HttpContext): Processor {
  settingsOf(scheme, options, context.parameters, context.limits);
  return () => {
    throw new FlowException(
      "EgressDeniedException",
      `this flow's thread has no network, since nothing in its text says that it calls '${scheme}:' endpoints`,
    );
  };
}

function notPolling(scheme: "http" | "https", options: HttpOptions, context: HttpContext): Poller {
  const refuse = notCalling(scheme, pollingOptions(options), context);
  return {
    async poll(_waitMs, asker) {
      await refuse(asker);
      return undefined;
    },
  };
}
