/**
 * Makes one file per thread entry in dist/, which `npm start` runs while it is as new as src/: reading and stripping some two
 * hundred files takes longer than all the rest of a start (docs/decisions/0011). `npm ci` calls it.
 */
import { rm } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { build, type Plugin } from "esbuild";

const root = resolve(import.meta.dirname, "..");

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
 * An import of one of Node's own modules reads everything that it exports, and some exports load what nobody uses: for `node:http` that is
 * undici, 31 in place of 5 ms, for `node:crypto` the Web Cryptography API. What is required is read when it is used; and these are required
 * when they are used, which `node:http2` and others may never be. Those that messages pass through are loaded at once.
 */
const whenUsed = new Set(
  "child_process crypto dns fs/promises http2 os perf_hooks querystring sqlite timers/promises util worker_threads"
    .split(" ")
    .map((name) => `node:${name}`),
);
const nodeModules: Plugin = {
  name: "node-modules",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^node:/ }, ({ kind, path }) =>
      kind === "import-statement" && (path === "node:http" || whenUsed.has(path))
        ? { path, namespace: "required" }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: "required" }, ({ path }) => {
      if (!whenUsed.has(path)) return { contents: `module.exports = require("${path}");` };
      const names = Object.keys(process.getBuiltinModule(path) as object);
      const getters = names.map((name) => `get ${name}() { return load().${name}; }`);
      return {
        contents: `let loaded; const load = () => (loaded ??= require("${path}")); module.exports = { ${getters.join(", ")} };`,
      };
    });
  },
};

/** Each entry by itself: what two of them share would carry to the one what only the other needs. `plugins`: asked before those of the product. */
export async function bundle(outdir: string, plugins: readonly Plugin[] = []): Promise<void> {
  for (const entry of [
    "control/main",
    "control/host-process",
    "control/state/state-thread",
    "workers/flow-worker",
    "workers/check-worker",
  ]) {
    await build({
      absWorkingDir: root,
      entryPoints: [`src/${entry}.ts`],
      entryNames: "[name]",
      chunkNames: `${basename(entry)}-[name]-[hash]`,
      outdir,
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
      plugins: [...plugins, oneLocale, nodeModules],
      // A thread compiles its file before it runs: 36 in place of 54 ms. What flows are told has names of its own, none of a class.
      minify: true,
      legalComments: "none",
      logLevel: "warning",
    });
  }
}

if (import.meta.main) {
  const dist = resolve(root, "dist");
  await rm(dist, { recursive: true, force: true });
  await bundle(dist);
}
