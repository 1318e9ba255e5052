/** CORS headers of rest services (Camel: RestBindingAdvice.setCORSHeaders, RestConfiguration). */
import { asText } from "../../engine/convert.ts";
import type { Exchange } from "../../engine/exchange.ts";

const defaults: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, DELETE, TRACE, OPTIONS, CONNECT, PATCH",
  "Access-Control-Allow-Headers":
    "Origin, Accept, X-Requested-With, Content-Type, Access-Control-Request-Method, Access-Control-Request-Headers",
  "Access-Control-Max-Age": "3600",
};
const allowCredentials = "Access-Control-Allow-Credentials";

/** With credentials, `*` becomes the caller's own origin, since browsers do not accept `*` then. */
export function addCors({ message: { headers } }: Exchange, configured: Readonly<Record<string, string>>): void {
  const credentials = configured[allowCredentials];
  for (const [name, standard] of Object.entries(defaults)) headers.set(name, configured[name] ?? standard);
  if (credentials === undefined) return;
  headers.set(allowCredentials, credentials);
  const origin = headers.get("Origin") ?? null;
  const anyOrigin = (configured["Access-Control-Allow-Origin"] ?? "*") === "*";
  if (credentials.toLowerCase() === "true" && anyOrigin && origin !== null) {
    headers.set("Access-Control-Allow-Origin", asText(origin));
  }
}
