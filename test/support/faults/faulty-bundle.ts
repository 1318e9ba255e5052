/** The product's flow thread, from its bundle, with faults. Piscina drops the query of a URL, so that each needs a file of its own. */
import type { AttachTask } from "../../../src/shared/protocol.ts";
import { withFaults } from "./faults.ts";

// A thread may not read bin/, which knows the folder of the bundles, too.
const { readFileSync } = process.getBuiltinModule("node:fs");
const bundles = new URL("../../../dist/", import.meta.url);
const current = readFileSync(new URL("current", bundles), "utf8").trim();
const product = (await import(new URL(`${current}/flow-worker.js`, bundles).href)) as {
  attach(task: AttachTask): Promise<void>;
};

export const attach = withFaults(product.attach);
