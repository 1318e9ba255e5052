/** A caller that a policy has identified, as its flow and its run record see it. */
import type { Principal } from "../access/principal.ts";

const prefixes = { apiKey: "key:", hmac: "hmac:", jwt: "jwt:" } as const;
/** Control characters; a line break would begin another header of the message. */
const control = /\p{Cc}/u;

/** Whether headers can carry the caller's name; false: it has control characters. */
export function canBeNamed({ id }: Principal): boolean {
  return !control.test(id);
}

/** Returns the caller's name with its type: `key:shop`, `jwt:idp:alice`. */
export function nameOf({ type, id }: Principal): string {
  return type === "deployToken" || type === "anonymous" ? type : prefixes[type] + id;
}

/**
 * Returns headers that only the runtime sets, as `\nname\nvalue...`. A role with a comma is left out: it would read as
 * two.
 */
export function principalHeaders({ id, type, roles }: Principal): string {
  const named = roles.filter((role) => !role.includes(",") && !control.test(role));
  return `\nCamelPrincipal\n${id}\nCamelPrincipalType\n${type}\nCamelPrincipalRoles\n${named.join(",")}`;
}
