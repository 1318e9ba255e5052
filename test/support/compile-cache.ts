/** For `npm test`: every test file is a process of its own, and each would compile the sources anew. Coverage is more exact without it. */
import { enableCompileCache } from "node:module";
import { resolve } from "node:path";

enableCompileCache(resolve(import.meta.dirname, "../../node_modules/.cache/compile"));
