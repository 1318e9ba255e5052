/**
 * Makes one file per thread entry in a folder of dist/, which `npm start` runs while it is as new as src/: reading and stripping some two
 * hundred files takes longer than all the rest of a start (docs/decisions/0011). `npm ci` calls it.
 */
import { readFile, rm, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { type BuildOptions, type BuildResult, build, type Plugin } from "esbuild";
import { isWithheld } from "../src/workers/withheld.ts";
import { keepBuild } from "./builds.ts";
import { copyLibraries } from "./library-files.ts";

const root = resolve(import.meta.dirname, "..");

/** zod brings its messages in fifty languages; a third of the check thread's file would be these. */
export const oneLocale: Plugin = {
  name: "one-locale",
  setup({ onLoad }) {
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    }));
  },
};

/**
 * An import of one of Node's own modules reads everything that it exports, and some exports load what nobody uses: `node:fs` its streams
 * (4 ms in each thread), `node:http` undici (31 ms), `node:crypto` the Web Cryptography API. So all of them are required; and these are required
 * when they are used, which `node:http2` and others may never be.
 */
const whenUsed = new Set(
  "assert child_process crypto dns fs/promises http2 os perf_hooks querystring sqlite timers/promises util worker_threads"
    .split(" ")
    .map((name) => `node:${name}`),
);
export const nodeModules: Plugin = {
  name: "node-modules",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^node:/ }, ({ kind, path }) =>
      kind === "import-statement" || kind === "require-call" ? { path, namespace: "required" } : undefined,
    );
    onLoad({ filter: /.*/, namespace: "required" }, ({ path }) => {
      const load = `process.getBuiltinModule("${path}")`;
      if (!whenUsed.has(path)) return { contents: `module.exports = ${load};` };
      const loaded = process.getBuiltinModule(path) as object;
      const getters = Object.keys(loaded).map((name) => `${name}: { get: () => load().${name} }`);
      const itself = typeof loaded === "function" ? "(...parameters) => load()(...parameters)" : "{}";
      return {
        contents: `let loaded; const load = () => (loaded ??= ${load}); module.exports = Object.defineProperties(${itself}, { ${getters.join(", ")} });`,
      };
    });
  },
};

/** In bundles libraries have a stub in place of what threads do not have, and no addons, which threads may not load: they do without. */
const stubs: Plugin = {
  name: "stubs",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^[a-z0-9_:]+$/ }, ({ importer, path }) =>
      isWithheld(path, importer) ? { path: resolve(root, "src/workers/withheld-module.cts") } : undefined,
    );
    onResolve({ filter: /\.node$/ }, ({ path }) => ({ path, namespace: "addon" }));
    onLoad({ filter: /.*/, namespace: "addon" }, () => ({ contents: 'throw new Error("bundles have no addons");' }));
  },
};

/** The library reads its WebAssembly from a file beside its code; a bundle has it inside, since it may lie anywhere. */
const embeddedWasm: Plugin = {
  name: "embedded-wasm",
  setup({ onLoad }) {
    onLoad({ filter: /@platformatic[\\/]wasm-utils[\\/]dist[\\/]index\.js$/ }, async ({ path }) => {
      const reading = "const wasm = readFileSync(new URL('../dist/native.wasm', import.meta.url));";
      const text = await readFile(path, "utf8");
      if (!text.includes(reading)) throw new Error(`${path} reads its WebAssembly in another way now`);
      return { contents: text.replace(reading, 'import wasm from "./native.wasm";') };
    });
  },
};

/**
 * Each file costs a start, and each thread, half a millisecond. esbuild makes a file of what two modules share that are loaded late, and of what three
 * share, and so on. Here every module of ours that is loaded late imports `core`, which is loaded by then, so that all it shares with that is one file.
 */
function oneCore(core: string): Plugin {
  return {
    name: "one-core",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^\./ }, ({ kind, resolveDir, path }) =>
        kind === "dynamic-import" ? { path: resolve(resolveDir, path), namespace: "late" } : undefined,
      );
      onLoad({ filter: /.*/, namespace: "late" }, ({ path }) => ({
        contents: `import ${JSON.stringify(core)}; export * from ${JSON.stringify(path)};`,
        resolveDir: root,
      }));
    },
  };
}

interface Entry {
  readonly file: string;
  /** What has been loaded when any module is loaded late; absent: the entry itself. */
  readonly core?: string;
}

/** Each by itself: what two of them share would carry to the one what only the other needs. */
const entries: readonly Entry[] = [
  { file: "src/cli/bulkhead.ts" },
  // The start is loaded late itself; the other commands load all that it needs.
  { file: "src/control/main.ts", core: "src/control/start.ts" },
  { file: "src/control/host-process.ts" },
  { file: "src/control/embedded-process.ts" },
  { file: "src/control/document-checks.ts" },
  { file: "src/control/state/state-thread.ts" },
  { file: "src/workers/flow-worker.ts" },
  { file: "src/workers/check-worker.ts" },
];

export const common: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node24",
  // A thread compiles its file before it runs: 36 in place of 54 ms. What flows are told has names of its own, none of a class.
  minify: true,
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
};

/** Returns the files that are in what a build has made: paths from the project's directory on. */
export function inputsOf({ metafile }: BuildResult): string[] {
  return Object.values(metafile?.outputs ?? {}).flatMap(({ inputs }) => Object.keys(inputs));
}

/**
 * Makes `<outdir>/<name of the file>.js`, with the modules that are loaded late beside it, and resolves with the files that are in them.
 * `plugins`: asked before those of the product.
 */
export async function bundleEntry(
  { file, core = file }: Entry,
  outdir: string,
  plugins: readonly Plugin[] = [],
): Promise<string[]> {
  const built = await build({
    ...common,
    entryPoints: [file],
    entryNames: "[name]",
    chunkNames: `${basename(file, ".ts")}-[name]-[hash]`,
    outdir,
    splitting: true,
    format: "esm",
    // What CommonJS packages require of Node, and where Piscina looks for the file that its threads begin with.
    banner: {
      js: 'const require = process.getBuiltinModule("node:module").createRequire(import.meta.url), __dirname = `${import.meta.dirname}/piscina`;',
    },
    loader: { ".wasm": "binary" },
    plugins: [...plugins, oneLocale, stubs, embeddedWasm, nodeModules, oneCore(resolve(root, core))],
  });
  return inputsOf(built);
}

export interface Bundles {
  /** The name of the runtime's folder in `dist`. */
  readonly name: string;
  /** The files that are in the bundles, some of them several times. */
  readonly inputs: readonly string[];
}

/** Makes the bundles of the runtime, and that of the client, in `dist`. */
export async function bundle(dist: string, plugins: readonly Plugin[] = []): Promise<Bundles> {
  const outdir = join(dist, "building");
  await rm(outdir, { recursive: true, force: true });
  const inputs = await copyLibraries(outdir);
  for (const entry of entries) inputs.push(...(await bundleEntry(entry, outdir, plugins)));
  // Programs elsewhere use it, in browsers, too.
  const client = await build({
    ...common,
    entryPoints: ["src/client/index.ts"],
    outdir: join(dist, "client"),
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
  });
  const worker = await build({
    ...common,
    entryPoints: [resolve(root, "node_modules/piscina/dist/worker.js")],
    outdir: join(outdir, "piscina"),
    format: "cjs",
    external: ["@napi-rs/nice"],
    plugins: [nodeModules],
  });
  // A thread may not look for the type of its files above this directory, and would try each file as CommonJS first.
  await writeFile(join(outdir, "package.json"), '{ "type": "module" }\n');
  await writeFile(join(outdir, "piscina/package.json"), '{ "type": "commonjs" }\n');
  return { name: await keepBuild(outdir, dist), inputs: [...inputs, ...inputsOf(client), ...inputsOf(worker)] };
}

if (import.meta.main) await bundle(resolve(root, "dist"));
