/** `GET /designer/people`: who may use the designer, and who does, for operators. No hashes, no secrets, no session ids. */
import type { FastifyInstance } from "fastify";
import type { People } from "../../shared/wire.ts";
import type { Sessions } from "../access/sessions.ts";
import type { Login } from "../config.ts";

export function peopleRoutes(app: FastifyInstance, login: Login, sessions: Sessions): void {
  app.get("/designer/people", { config: { least: "operator" } }, (): People => {
    const oidc = login.kind === "oidc" ? login.oidc : undefined;
    return {
      users: login.kind === "password" ? login.users.list() : [],
      provider:
        oidc === undefined ? null : { issuer: oidc.issuer.href, claim: oidc.roleClaim, roles: [...oidc.roleOf] },
      sessions: sessions.list(),
    };
  });
}
