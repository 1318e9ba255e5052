/** The product's flow thread, from its sources, with faults. */
import { attach as attachFlow } from "../../../src/workers/flow-worker.ts";
import { withFaults } from "./faults.ts";

export const attach = withFaults(attachFlow);
