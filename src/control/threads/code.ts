/** Where this runtime's own code is: the `.ts` files as they are, or the bundles that `npm ci` made of them. */

const bundled = import.meta.url.endsWith(".js");

/** The project's directory, with a slash at its end. */
export const codeRoot = new URL(bundled ? "../" : "../../../", import.meta.url);

/** The modules that threads run, by URL: control never imports them. */
export const threadEntries = {
  flow: new URL(bundled ? "dist/flow-worker.js" : "src/workers/flow-worker.ts", codeRoot),
  check: new URL(bundled ? "dist/check-worker.js" : "src/workers/check-worker.ts", codeRoot),
};

/** The module that host processes run. */
export const hostEntry = new URL(bundled ? "dist/host-process.js" : "src/control/host-process.ts", codeRoot);
