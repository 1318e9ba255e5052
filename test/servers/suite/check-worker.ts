/** The product's check thread with the components of the suite. */
import { addComponent } from "../../../src/workers/catalog.ts";
import { countPromises } from "./count-promises.ts";
import { loseThread } from "./lose-thread.ts";

addComponent(loseThread);
addComponent(countPromises);

export * from "../../../src/workers/check-worker.ts";
