/**
 * Makes one file per thread entry in dist/, which `npm start` runs while it is as new as src/: reading and stripping some two
 * hundred files takes longer than all the rest of a start (docs/decisions/0011). `npm ci` calls it.
 */
import { rm } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { build, type Plugin } from "esbuild";

const root = resolve(import.meta.dirname, "..");
await rm(resolve(root, "dist"), { recursive: true, force: true });
/** zod brings its messages in fifty languages; a third of the check thread's file would be these. */
const oneLocale: Plugin = {
  name: "one-locale",
  setup({ onLoad }) {
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    }));
  },
};

/**
 * An import of `node:http` reads everything that it exports, WebSocket included, for which Node loads undici: 31 in place of 5 ms. What
 * is required is read when it is used.
 */
const requiredHttp: Plugin = {
  name: "required-http",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^node:http$/ }, ({ kind, path }) =>
      kind === "import-statement" ? { path, namespace: "required" } : undefined,
    );
    onLoad({ filter: /.*/, namespace: "required" }, ({ path }) => ({
      contents: `module.exports = require("${path}");`,
    }));
  },
};

/** Each entry by itself: what two of them share would carry to the one what only the other needs. */
for (const entry of ["control/main", "control/host-process", "workers/flow-worker", "workers/check-worker"]) {
  await build({
    absWorkingDir: root,
    entryPoints: [`src/${entry}.ts`],
    entryNames: "[name]",
    chunkNames: `${basename(entry)}-[name]-[hash]`,
    outdir: "dist",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    // Large, loaded late, or found by their own path: they stay where npm has put them.
    external: [
      "piscina",
      "pino",
      "fastify",
      "@fastify/swagger",
      "prom-client",
      "re2js",
      "undici",
      "quickjs-emscripten-core",
      "@jitl/*",
    ],
    // What CommonJS packages require of Node.
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module";\nconst require = requireFrom(import.meta.url);',
    },
    plugins: [oneLocale, requiredHttp],
    // A thread compiles its file before it runs: 36 in place of 54 ms. What flows are told has names of its own, none of a class.
    minify: true,
    legalComments: "none",
    logLevel: "warning",
  });
}
