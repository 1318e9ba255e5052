/** The built page: designer/dist. */
import { existsSync } from "node:fs";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

/** Names of files below it have a hash of their content. */
const hashed = /[\\/]assets[\\/]/;

/** @param directory of the built page, which need not be there */
export async function pageRoutes(app: FastifyInstance, directory: string): Promise<void> {
  if (!existsSync(directory)) return;
  await app.register((page, _options, done) => {
    page.addHook("onRoute", (route) => {
      route.config = { ...route.config, least: "page" };
    });
    page.register(fastifyStatic, {
      root: directory,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders(response, path) {
        const kept = hashed.test(path) ? "public, max-age=31536000, immutable" : "no-cache";
        response.setHeader("Cache-Control", kept);
      },
    });
    page.route({
      method: ["GET", "HEAD"],
      url: "/",
      // The library does not find a file of the root that has no compressed form.
      handler: (_request, reply) => reply.sendFile("index.html"),
    });
    done();
  });
}
