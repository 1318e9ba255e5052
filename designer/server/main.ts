/** The designer of a checkout as a process: `npm run designer`, and `bulkhead designer` where the sources are. */
import { join, resolve } from "node:path";
import { buildPage } from "./page-build.ts";
import { runProcess } from "./process.ts";

const root = resolve(import.meta.dirname, "..");

await runProcess(async (log) => {
  if (await buildPage(root)) log.line("the page was built");
  return join(root, "dist");
});
