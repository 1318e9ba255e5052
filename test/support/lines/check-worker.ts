/** The product's check thread with one more component. */
import { addComponent } from "../../../src/workers/catalog.ts";
import { lines } from "./lines.ts";

addComponent(lines);

export * from "../../../src/workers/check-worker.ts";
