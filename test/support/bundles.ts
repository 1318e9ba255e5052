/**
 * Threads boot from the bundles of `npm ci` while no source is newer: that takes a fifth of the time, and bundles are
 * what is shipped.
 */
const { freshest } = (await import(new URL("../../bin/entry.js", import.meta.url).href)) as { freshest(): string };

/** A coverage run counts the lines of the sources. */
const fresh = process.env.BULKHEAD_COVERAGE_DIR === undefined && freshest().endsWith(".js");

/** Returns the bundle's URL; undefined: the sources are used. */
export function bundle(
  name: "flow-worker" | "check-worker" | "host-process" | "embedded-process" | "state-thread",
): URL | undefined {
  return fresh ? new URL(`./${name}.js`, freshest()) : undefined;
}
