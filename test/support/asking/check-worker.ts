/** The product's check thread with one more component. */
import { addComponent } from "../../../src/workers/catalog.ts";
import { asking } from "./asking.ts";

addComponent(asking);

export * from "../../../src/workers/check-worker.ts";
