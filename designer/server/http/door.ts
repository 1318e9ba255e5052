/** Who calls: the session of a request, and whether its role may do what it asks for. */
import { parseCookie, stringifySetCookie } from "cookie";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { may, type Role, type User } from "../../shared/wire.ts";
import type { Sessions } from "../access/sessions.ts";
import type { Config } from "../config.ts";
import { limits } from "../limits.ts";
import type { Caller } from "../proxy/proxy.ts";
import { Refused } from "../refused.ts";
import { answerHeaders, headersForView, refuseForeignName, refuseForeignSite, viewOf } from "./guard.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The least role that may call the route; `open`: everybody, `page`: everybody, also by a link from elsewhere. */
    least?: Role | "open" | "page";
    /** true: views of VS Code's extensions may read it, too. */
    views?: true;
  }
}

/** Without a login it is the person at this machine. */
const local: User = { name: "local", role: "operator" };

export class Door {
  readonly #config: Config;
  readonly #sessions: Sessions;
  readonly #port: () => number;

  /** `port`: that the server listens on. */
  constructor(config: Config, sessions: Sessions, port: () => number) {
    this.#config = config;
    this.#sessions = sessions;
    this.#port = port;
  }

  /** Guards every route of the app. A route that does not say who may call it is a mistake, and keeps the server from starting. */
  guard(app: FastifyInstance): void {
    const routes: RouteOptions[] = [];
    app.addHook("onRoute", (route) => void routes.push(route));
    app.addHook("onReady", async () => {
      const open = routes.find(({ config }) => config?.least === undefined);
      if (open !== undefined) throw new Error(`the route ${open.method} ${open.url} does not say who may call it`);
    });
    app.addHook("onRequest", async (request, reply) => {
      reply.headers(answerHeaders);
      const { least, views } = request.routeOptions.config;
      refuseForeignName(request.raw, this.#config);
      const isWrite = request.method !== "GET" && request.method !== "HEAD";
      if (least !== "page") {
        reply.header("Cache-Control", "no-store");
        const view = views === true && !isWrite ? viewOf(request.raw) : undefined;
        if (view === undefined) refuseForeignSite(request.raw, isWrite);
        else reply.headers(headersForView(view));
      }
      if (least === "page" && isWrite) throw new Refused(405, "this path takes GET", { headers: { Allow: "GET" } });
      if (least === "open" || least === "page" || least === undefined) return;
      const { user } = this.caller(request);
      if (!may(user.role, least))
        throw new Refused(403, `this is for people with the role ${least}; yours is ${user.role}`);
    });
  }

  /** Throws Refused (401) when nobody has logged in. */
  caller(request: FastifyRequest): Caller {
    const found = this.find(request);
    if (found === undefined) throw new Refused(401, "log in first: your session has ended, or there was none");
    return found;
  }

  find(request: FastifyRequest): Caller | undefined {
    if (this.#config.login.kind === "none") return { user: local, ended: undefined };
    const id = this.#idOf(request);
    return id === undefined ? undefined : this.#sessions.use(id);
  }

  /** Begins a session and sets its cookie. One that the browser had before ends. */
  open(request: FastifyRequest, reply: FastifyReply, user: User): void {
    this.end(request, reply);
    const id = this.#sessions.open(user);
    reply.header("Set-Cookie", this.#cookie(id, { maxAge: limits.sessionMs / 1000, sameSite: "strict" }));
  }

  end(request: FastifyRequest, reply: FastifyReply): void {
    const id = this.#idOf(request);
    if (id !== undefined) this.#sessions.end(id);
    reply.removeHeader("Set-Cookie").header("Set-Cookie", this.#cookie("", { maxAge: 0, sameSite: "strict" }));
  }

  /** Makes the value of Set-Cookie. `suffix`: of the cookie's name. */
  cookie(suffix: string, value: string, maxAge: number): string {
    // A provider sends the browser back from another site.
    return this.#cookie(value, { maxAge, sameSite: "lax" }, suffix);
  }

  readCookie({ headers }: FastifyRequest, suffix = ""): string | undefined {
    return parseCookie(headers.cookie ?? "")[this.#name(suffix)];
  }

  /** The address of the browser, as far as it is known. */
  addressOf({ socket, headers }: FastifyRequest): string {
    const from = socket.remoteAddress ?? "";
    const forwarded = headers["x-forwarded-for"];
    return this.#config.proxies?.clientOf(from, [forwarded ?? []].flat().join(",")) ?? from;
  }

  #idOf(request: FastifyRequest): string | undefined {
    return this.readCookie(request) || undefined;
  }

  #cookie(value: string, given: { readonly maxAge: number; readonly sameSite: "strict" | "lax" }, suffix = ""): string {
    const secure = this.#config.publicUrl?.protocol === "https:";
    return stringifySetCookie({ name: this.#name(suffix), value, ...given, httpOnly: true, path: "/", secure });
  }

  /** Cookies of a machine are those of all of its ports. */
  #name(suffix: string): string {
    const isSecure = this.#config.publicUrl?.protocol === "https:";
    return `${isSecure ? "__Host-bulkhead-designer" : `bulkhead-designer-${this.#port()}`}${suffix}`;
  }
}
