/** The product's check thread with one more component. */
import { addComponent } from "../../../src/workers/catalog.ts";
import { loseThread } from "./lose-thread.ts";

addComponent(loseThread);

export * from "../../../src/workers/check-worker.ts";
