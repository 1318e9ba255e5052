/** Loaded into a server with `--import`: its flow threads are those of test/support/faults/, everything else is the product. */
import { registerHooks } from "node:module";

const { freshest } = (await import(new URL("../../../../bin/entry.js", import.meta.url).href)) as {
  freshest(): string;
};
const name = `faulty-${freshest().endsWith(".js") ? "bundle" : "worker"}.ts`;
const faulty = new URL(`../../../support/faults/${name}`, import.meta.url).href;

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!/\/dist\/[^/]+\/[^/]+\.js$|\/src\/control\/threads\/code\.ts$/.test(url) || !loaded.source) return loaded;
    const source =
      typeof loaded.source === "string" ? loaded.source : Buffer.from(loaded.source as Uint8Array).toString();
    return { ...loaded, source: source.replaceAll(/(?:\.|\.\.\/\.\.\/workers)\/flow-worker\.[jt]s/g, faulty) };
  },
});
