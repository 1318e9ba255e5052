/** The product's check thread with one more component. */
import { addComponent } from "../../../src/workers/catalog.ts";
import { spin } from "./spin.ts";

addComponent(spin);

export * from "../../../src/workers/check-worker.ts";
