/** The login at a provider: `/designer/login/oidc` sends the browser there, and it comes back to `/designer/login/callback`. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { OidcLogin } from "../access/oidc.ts";
import type { OidcSettings } from "../access/oidc-settings.ts";
import { limits } from "../limits.ts";
import type { Log } from "../log.ts";
import { Refused } from "../refused.ts";
import type { Door } from "./door.ts";

interface Parts {
  readonly oidc: OidcSettings;
  readonly publicUrl: URL | undefined;
  readonly door: Door;
  readonly log: Log;
}

const callback = "/designer/login/callback";
/** Links from other sites lead here, so both routes are pages. */
const config = { config: { least: "page" } } as const;

export function oidcRoutes(app: FastifyInstance, { oidc, publicUrl, door, log }: Parts): void {
  const login = new OidcLogin(oidc);
  // The name by which the browser has reached this machine was checked, and its cookies belong to it.
  const originOf = ({ headers }: FastifyRequest): string => publicUrl?.origin ?? `http://${headers.host}`;

  app.get("/designer/login/oidc", config, async (request, reply) => {
    const { url, id } = await login.begin(`${originOf(request)}${callback}`);
    reply.header("Set-Cookie", door.cookie("-login", id, limits.providerLoginMs / 1000));
    return reply.header("Cache-Control", "no-store").redirect(url.href);
  });

  app.get(callback, config, async (request, reply) => {
    const search = request.url.slice(callback.length);
    try {
      const user = await login.finish(door.readCookie(request, "-login") ?? "", search);
      door.open(request, reply, user);
      log.line(`${JSON.stringify(user.name)} (${user.role}) has logged in from ${door.addressOf(request)}`);
      return reply.header("Cache-Control", "no-store").redirect("/");
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      log.line(`a login at the provider from ${door.addressOf(request)} has failed: ${error.message}`);
      // A person reads it, in place of a page.
      reply.code(error.status).header("Cache-Control", "no-store").type("text/plain; charset=utf-8");
      return `You are not logged in: ${error.message}.\n\nOpen ${originOf(request)}/ to try again.\n`;
    }
  });
}
