/** Recognizes media types of JSON, and names of headers that control Camel's components. */
import { isSecretName } from "./redact.ts";

/** The media types of JSON (RFC 8259, RFC 6839). */
const json = /^\s*application\/(?:[\w.+-]*\+)?json\b/i;

/** Whether the Content-Type is JSON. Names of `headers` may be in any case. */
export function saysJson(headers: Readonly<Record<string, unknown>>): boolean {
  const name = Object.keys(headers).find((key) => key.toLowerCase() === "content-type");
  const type = name === undefined ? undefined : headers[name];
  return typeof type === "string" && json.test(type);
}

/**
 * Header names, in any case, that control Camel's components: callers cannot set them (CVE-2025-27636), and answers do
 * not contain them.
 */
const steering = /^(?:camel|org\.apache\.camel)/i;

export function isSteeringHeader(name: string): boolean {
  return steering.test(name);
}

/** Names of headers with signatures of a message, and with keys that `isSecretName` does not recognize. */
const signature = /signature|^digest$|^content-digest$|hmac|^x-goog-iap-jwt|^x-auth(?:$|-)|-auth$|^x-csrf|^x-xsrf/i;

/** Whether the header, in any case, has a credential or a signature of its sender: Authorization, cookies, API keys. */
export function isCredentialHeader(name: string): boolean {
  return isSecretName(name) || signature.test(name);
}
