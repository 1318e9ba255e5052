/** The store in memory does what every store does. */
import { MemoryFlowStore } from "../../../src/control/stores/memory-stores.ts";
import { flowStoreSuite, mostBytes } from "./flow-store-suite.ts";

flowStoreSuite("flow store in memory", async () => {
  const store = new MemoryFlowStore({ flowYamlBytes: mostBytes });
  return { store, restart: () => store, edit: async (file, yaml) => store.edit(file, yaml) };
});
