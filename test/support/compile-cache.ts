/** Loaded by `npm test`: its processes share the compiled sources. Coverage is more exact without it. */
import { enableCompileCache } from "node:module";
import { resolve } from "node:path";

enableCompileCache(resolve(import.meta.dirname, "../../node_modules/.cache/compile"));
