/** A caller whom a policy knows, as its flow and its run record see it. */
import type { Principal } from "../access/principal.ts";

const prefixes = { apiKey: "key:", hmac: "hmac:", jwt: "jwt:" } as const;
/** A line break would begin another header of the message. */
const control = /\p{Cc}/u;

/** false: it holds what no header can, so that nobody could tell it from another. */
export function canBeNamed({ id }: Principal): boolean {
  return !control.test(id);
}

/** `key:shop`, `jwt:idp:alice`. */
export function nameOf({ type, id }: Principal): string {
  return type === "deployToken" || type === "anonymous" ? type : prefixes[type] + id;
}

/** `\nname\nvalue...`: headers that only the runtime sets. A role with a comma is left out: it would read as two. */
export function principalHeaders({ id, type, roles }: Principal): string {
  const named = roles.filter((role) => !role.includes(",") && !control.test(role));
  return `\nCamelPrincipal\n${id}\nCamelPrincipalType\n${type}\nCamelPrincipalRoles\n${named.join(",")}`;
}
