/** The catalogue of the runtimes for Kaoto, such as in VS Code: `/designer/catalog/index.json` is its address there. */
import type { FastifyInstance } from "fastify";
import { catalogFiles, catalogIndex, type RuntimeCatalog } from "../kaoto/catalog.ts";
import { limits } from "../limits.ts";
import type { Upstream } from "../proxy/upstream.ts";
import { Refused } from "../refused.ts";

interface OfFile {
  readonly Params: { readonly target: string; readonly file: string };
}

export function catalogRoutes(app: FastifyInstance, upstreams: ReadonlyMap<string, Upstream>): void {
  const config = { least: "viewer", views: true } as const;
  app.get("/designer/catalog/index.json", { config }, () =>
    catalogIndex([...upstreams.values()].map(({ facts }) => facts)),
  );
  app.get<OfFile>("/designer/catalog/:target/:file", { config }, async ({ params: { target, file } }) => {
    const upstream = upstreams.get(target);
    if (upstream === undefined) throw new Refused(404, `there is no target '${target.slice(0, 100)}'`);
    const [catalog, flowSchema] = await Promise.all([
      ask<RuntimeCatalog>(upstream, "/_api/catalog"),
      ask<object>(upstream, "/_api/flow-schema.json"),
    ]);
    const found = catalogFiles(upstream.facts.label, catalog, flowSchema).get(file);
    if (found === undefined) throw new Refused(404, `the catalogue has no file '${file.slice(0, 100)}'`);
    return found;
  });
}

/** Rejects with Refused when the runtime does not answer with the document. */
async function ask<T>(upstream: Upstream, path: string): Promise<T> {
  const { authorization } = upstream;
  const answer = await upstream.request({
    ...{ method: "GET", path, body: null, signal: AbortSignal.timeout(limits.proxyHeadersMs) },
    headers: authorization === undefined ? {} : { authorization },
  });
  if (answer.statusCode === 200) return (await answer.body.json()) as T;
  await answer.body.dump();
  if (answer.statusCode === 401) throw upstream.refusedToken();
  throw new Refused(502, `the runtime answers ${path} with ${answer.statusCode}: look at its log`);
}
