/** Who has logged in: `/designer/session`, `/designer/login`, `/designer/logout`. */
import type { FastifyInstance } from "fastify";
import * as z from "zod";
import type { Login, Session, Target } from "../../shared/wire.ts";
import { Attempts } from "../access/attempts.ts";
import type { Config } from "../config.ts";
import { limits } from "../limits.ts";
import type { Log } from "../log.ts";
import { Refused } from "../refused.ts";
import { readBody } from "./body.ts";
import type { Door } from "./door.ts";

const login = z.strictObject({
  user: z.string().max(200),
  password: z.string().max(limits.passwordBytes),
}) satisfies z.ZodType<Login>;

interface Parts {
  readonly config: Config;
  readonly door: Door;
  readonly targets: readonly Target[];
  readonly version: string;
  readonly log: Log;
}

export function sessionRoutes(app: FastifyInstance, { config, door, targets, version, log }: Parts): void {
  const attempts = new Attempts();
  const sessionOf = (user: Session["user"]): Session => ({
    ...{ user, login: config.login.kind, version },
    targets: user === null ? [] : targets,
  });

  app.get("/designer/session", { config: { least: "open" } }, (request) => sessionOf(door.find(request)?.user ?? null));

  app.post("/designer/login", { config: { least: "open" } }, async (request, reply) => {
    if (config.login.kind !== "password")
      throw new Refused(
        404,
        config.login.kind === "oidc" ? "log in at /designer/login/oidc" : "nobody needs to log in here",
      );
    const { user: name, password } = readBody(login, request);
    const address = door.addressOf(request);
    attempts.refuse(name, address);
    const user = await config.login.users.login(name, password);
    if (user === undefined) {
      attempts.failed(name, address);
      log.line(`a login as ${JSON.stringify(name)} from ${address} has failed`);
      throw new Refused(401, "the name or the password is wrong");
    }
    door.open(request, reply, user);
    log.line(`${JSON.stringify(user.name)} (${user.role}) has logged in from ${address}`);
    return sessionOf(user);
  });

  app.post("/designer/logout", { config: { least: "open" } }, (request, reply) => {
    door.end(request, reply);
    return sessionOf(config.login.kind === "none" ? (door.find(request)?.user ?? null) : null);
  });
}
