/** The designer's server: builds its parts, listens, and ends them in order. */
import fastify from "fastify";
import { parse, stringify } from "../../src/client/json.ts";
import { Sessions } from "./access/sessions.ts";
import type { Config } from "./config.ts";
import { catalogRoutes } from "./http/catalog-routes.ts";
import { Door } from "./http/door.ts";
import { answerFailures } from "./http/failures.ts";
import { mappingRoutes } from "./http/mapping-routes.ts";
import { oidcRoutes } from "./http/oidc-routes.ts";
import { pageRoutes } from "./http/page.ts";
import { peopleRoutes } from "./http/people-routes.ts";
import { recipeRoutes } from "./http/recipe-routes.ts";
import { sessionRoutes } from "./http/session-routes.ts";
import { streamRoutes } from "./http/stream-routes.ts";
import { targetRoutes } from "./http/target-routes.ts";
import { type Doors, workspaceRoutes } from "./http/workspace-routes.ts";
import { limits } from "./limits.ts";
import type { Log } from "./log.ts";
import { Upstream } from "./proxy/upstream.ts";
import { Refused } from "./refused.ts";
import { WorkspaceWatch } from "./workspace/watch.ts";
import { Workspace } from "./workspace/workspace.ts";

export interface Designer {
  /** The address to open. */
  readonly url: string;
  close(): Promise<void>;
}

export interface DesignerOptions {
  readonly config: Config;
  /** The directory of the built page. */
  readonly page: string;
  readonly version: string;
  readonly log: Log;
}

/** Resolves when it listens. Rejects when the port is taken, or the workspace cannot be used. */
export async function startDesigner({ config, page, version, log }: DesignerOptions): Promise<Designer> {
  const workspace = await Workspace.open(config.workspace, (message) => log.line(message));
  const upstreams = new Map(config.targets.map((target) => [target.name, new Upstream(target)]));
  const targets = [...upstreams.values()].map(({ facts }) => facts);
  const sessions = new Sessions();
  const app = fastify({
    logger: false,
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMs,
    exposeHeadRoutes: false,
    // Event streams do not end by themselves.
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 512 },
  });
  // Whole numbers of options keep every digit.
  app.setReplySerializer((payload) => stringify(payload));
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, text, done) => {
    try {
      done(null, parse(String(text)));
    } catch {
      done(new Refused(400, "the body is not JSON"));
    }
  });
  app.server.maxConnections = limits.connections;
  const portOf = (): number => {
    const address = app.server.address();
    return typeof address === "object" && address !== null ? address.port : config.port;
  };
  const door = new Door(config, sessions, portOf);
  answerFailures(app, log);
  door.guard(app);
  sessionRoutes(app, { config, door, targets, version, log });
  const { login, publicUrl } = config;
  peopleRoutes(app, login, sessions);
  if (login.kind === "oidc") oidcRoutes(app, { oidc: login.oidc, publicUrl, door, log });
  const doors: Doors = { workspace, targets, userOf: (request) => door.caller(request).user };
  workspaceRoutes(app, doors);
  mappingRoutes(app, doors);
  recipeRoutes(app, doors);
  streamRoutes(app, { door, watch: new WorkspaceWatch(workspace), upstreams });
  catalogRoutes(app, upstreams);
  await targetRoutes(app, { door, upstreams, log });
  await pageRoutes(app, page);
  await app.listen({ host: config.host, port: config.port });
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  return {
    url: config.publicUrl?.origin ?? `http://${host}:${portOf()}`,
    async close() {
      sessions.close();
      await app.close();
      await Promise.all([...upstreams.values()].map((upstream) => upstream.close()));
    },
  };
}
