/** The product's flow thread with one more component, and a driver of its own for the kind `postgres`. */
import { addComponent, addConnector } from "../../../src/workers/catalog.ts";
import { asking, askingConnector } from "./asking.ts";

addComponent(asking);
addConnector(askingConnector);

export { attach } from "../../../src/workers/flow-worker.ts";
