/** The product's flow thread with one more component, which never ends: its thread is lost. */
import { addComponent } from "../../../src/workers/catalog.ts";
import { spin } from "./spin.ts";

addComponent(spin);

export { attach } from "../../../src/workers/flow-worker.ts";
