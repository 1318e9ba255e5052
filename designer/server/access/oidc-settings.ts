/** The settings of a login at an OpenID Connect provider. */

import { type Role, roles } from "../../shared/wire.ts";
import type { Given } from "../config.ts";
import { variables } from "../variables.ts";

export interface OidcSettings {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly scope: string;
  readonly nameClaim: string;
  readonly roleClaim: string;
  /** Value of the claim -> role; `*`: of everybody who logs in. */
  readonly roleOf: ReadonlyMap<string, Role>;
}

/** undefined: people do not log in at a provider. Adds what is wrong to `problems`. */
export function readOidc(given: Given, problems: string[]): OidcSettings | undefined {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_ROLES } = given;
  if (OIDC_ISSUER === undefined) {
    const other = Object.keys(given).find((name) => name.startsWith("OIDC_"));
    if (other !== undefined) problems.push(`${other}: without OIDC_ISSUER it has no effect: give both, or none`);
    return undefined;
  }
  const before = problems.length;
  const issuer = URL.canParse(OIDC_ISSUER) ? new URL(OIDC_ISSUER) : undefined;
  const isLocal = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(issuer?.hostname ?? "");
  if (issuer === undefined || (issuer.protocol !== "https:" && !(isLocal && issuer.protocol === "http:")))
    problems.push(`OIDC_ISSUER: '${OIDC_ISSUER}' is not the address of a provider: give one that begins with https://`);
  if (OIDC_CLIENT_ID === undefined) problems.push("OIDC_CLIENT_ID: give the designer's id at the provider");
  const roleOf = new Map<string, Role>();
  for (const entry of (OIDC_ROLES ?? "").split(",").filter((one) => one.trim() !== "")) {
    const [, value, role] = /^\s*(.+?)\s*=\s*(\S+)\s*$/.exec(entry) ?? [];
    const known = roles.find((one) => one === role);
    if (value === undefined || known === undefined)
      problems.push(`OIDC_ROLES: '${entry.trim()}' is not 'value=role' with a role of ${roles.join(", ")}`);
    else roleOf.set(value, known);
  }
  if (OIDC_ROLES === undefined)
    problems.push("OIDC_ROLES: give the roles that people get, such as 'ops=operator, devs=editor, *=viewer'");
  const scope = given.OIDC_SCOPE ?? variables.OIDC_SCOPE.default;
  if (!scope.split(/\s+/).includes("openid")) problems.push(`OIDC_SCOPE: '${scope}' does not have openid: add it`);
  if (problems.length > before || issuer === undefined || OIDC_CLIENT_ID === undefined) return undefined;
  return {
    ...{ issuer, clientId: OIDC_CLIENT_ID, clientSecret: given.OIDC_CLIENT_SECRET, scope, roleOf },
    nameClaim: given.OIDC_NAME_CLAIM ?? variables.OIDC_NAME_CLAIM.default,
    roleClaim: given.OIDC_ROLE_CLAIM ?? variables.OIDC_ROLE_CLAIM.default,
  };
}
