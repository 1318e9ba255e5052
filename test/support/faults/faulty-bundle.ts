/** The product's flow thread, from its bundle, with faults. Piscina drops the query of a URL, so that each needs a file of its own. */
import type { AttachTask } from "../../../src/shared/protocol.ts";
import { withFaults } from "./faults.ts";

const { freshest } = (await import(new URL("../../../bin/entry.js", import.meta.url).href)) as { freshest(): string };
const product = (await import(new URL("./flow-worker.js", freshest()).href)) as {
  attach(task: AttachTask): Promise<void>;
};

export const attach = withFaults(product.attach);
