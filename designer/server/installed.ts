/** The designer of an installed package as a process: its bundle lies beside the page that scripts/package/designer.ts has built. */
import { join } from "node:path";
import { runProcess } from "./process.ts";

await runProcess(() => join(import.meta.dirname, "page"));
