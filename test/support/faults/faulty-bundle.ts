/** The product's flow thread, from its bundle, with faults. Piscina drops the query of a URL, so that each needs a file of its own. */
import type { AttachTask } from "../../../src/shared/protocol.ts";
import { withFaults } from "./faults.ts";

const bundle = new URL("../../../dist/flow-worker.js", import.meta.url);
const product = (await import(bundle.href)) as { attach(task: AttachTask): Promise<void> };

export const attach = withFaults(product.attach);
