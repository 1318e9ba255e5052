/** The product's flow thread with one more component. */
import { addComponent } from "../../../src/workers/catalog.ts";
import { lines } from "./lines.ts";

addComponent(lines);

export { attach } from "../../../src/workers/flow-worker.ts";
