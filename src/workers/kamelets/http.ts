/** Kamelets that call HTTP servers. */
import { type KameletDefinition, type KameletProperty, text, webAddress } from "./definition.ts";

const sink: Readonly<Record<string, KameletProperty>> = {
  url: webAddress,
  method: {
    type: "string",
    default: "POST",
    enum: ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE", "PATCH"],
  },
};

const source: Readonly<Record<string, KameletProperty>> = {
  url: webAddress,
  period: { type: "integer", default: "10000" },
  contentType: { type: "string", default: "application/json" },
};

const secured: Readonly<Record<string, KameletProperty>> = {
  authMethod: text,
  authenticationPreemptive: { type: "boolean", default: "false" },
  authUsername: text,
  authPassword: text,
  oauth2ClientId: text,
  oauth2ClientSecret: text,
  oauth2TokenEndpoint: text,
  oauth2Scope: text,
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
  { name: "http-sink", properties: sink, template: sending("") },
  { name: "http-secured-sink", properties: { ...sink, ...secured }, template: sending(credentials) },
  { name: "http-source", properties: source, template: fetching("") },
  { name: "http-secured-source", properties: { ...source, ...secured }, template: fetching(credentials) },
];
