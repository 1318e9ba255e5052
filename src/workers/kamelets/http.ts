/** Kamelets that call HTTP servers. */
import { type KameletDefinition, text, type WordedProperty, webAddress } from "./definition.ts";

const sink: Readonly<Record<string, WordedProperty>> = {
  url: webAddress("The address that gets the messages, such as `https://example.org/orders`."),
  method: {
    words: "The HTTP method.",
    type: "string",
    default: "POST",
    enum: ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE", "PATCH"],
  },
};

const source: Readonly<Record<string, WordedProperty>> = {
  url: webAddress("The address that is asked, such as `https://example.org/orders`."),
  period: { type: "integer", default: "10000", words: "Milliseconds between two questions." },
  contentType: { type: "string", default: "application/json", words: "The media type that is asked for (Accept)." },
};

const secured: Readonly<Record<string, WordedProperty>> = {
  authMethod: text("`Basic`; may be left out beside name and password."),
  authenticationPreemptive: {
    type: "boolean",
    default: "false",
    words: "Sends name and password with the first request; without this when the server asks for them.",
  },
  authUsername: text("The name for Basic authentication."),
  authPassword: text("The password for Basic authentication. Write a secret: `{{secret:NAME}}`."),
  oauth2ClientId: text("The client's id for OAuth 2 (client credentials)."),
  oauth2ClientSecret: text("The client's secret for OAuth 2. Write `{{secret:NAME}}`."),
  oauth2TokenEndpoint: text("The address of the OAuth 2 server that gives tokens."),
  oauth2Scope: text("The OAuth 2 scope that is asked for."),
};

const credentials = `parameters:
          authMethod: "{{?authMethod}}"
          authUsername: "{{?authUsername}}"
          authPassword: "{{?authPassword}}"
          authenticationPreemptive: "{{authenticationPreemptive}}"
          oauth2ClientId: "{{?oauth2ClientId}}"
          oauth2ClientSecret: "{{?oauth2ClientSecret}}"
          oauth2TokenEndpoint: "{{?oauth2TokenEndpoint}}"
          oauth2Scope: "{{?oauth2Scope}}"`;

const sending = (more: string): string => `from:
  uri: kamelet:source
  steps:
    - removeHeader: { name: CamelHttpUri }
    - setHeader: { name: CamelHttpMethod, constant: "{{method}}" }
    - to:
        uri: "{{url}}"
        ${more}`;

const fetching = (more: string): string => `from:
  uri: timer:fetch
  parameters: { period: "{{period}}" }
  steps:
    - setHeader: { name: Accept, constant: "{{contentType}}" }
    - to:
        uri: "{{url}}"
        ${more}
    - to: kamelet:sink`;

export const httpKamelets: readonly KameletDefinition[] = [
  { name: "http-sink", docs: "Sends messages to an HTTP server.", properties: sink, template: sending("") },
  {
    name: "http-secured-sink",
    docs: "Sends messages to an HTTP server that asks who calls.",
    properties: { ...sink, ...secured },
    template: sending(credentials),
  },
  {
    name: "http-source",
    docs: "Asks an HTTP server again and again; each answer is a message.",
    properties: source,
    template: fetching(""),
  },
  {
    name: "http-secured-source",
    docs: "Asks an HTTP server again and again that wants to know who calls; each answer is a message.",
    properties: { ...source, ...secured },
    template: fetching(credentials),
  },
];
