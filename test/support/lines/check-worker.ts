/** A thread that checks flows as it is, with one component more. */
import { addComponent } from "../../../src/workers/catalog.ts";
import { lines } from "./lines.ts";

addComponent(lines);

export * from "../../../src/workers/check-worker.ts";
