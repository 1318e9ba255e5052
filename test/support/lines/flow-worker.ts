/** A flow's thread as it is, with one component more. */
import { addComponent } from "../../../src/workers/catalog.ts";
import { lines } from "./lines.ts";

addComponent(lines);

export { attach } from "../../../src/workers/flow-worker.ts";
