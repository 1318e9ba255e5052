/** The document store in memory does what every document store does. */
import { MemoryDocuments } from "../../../src/control/stores/memory-stores.ts";
import { documentStoreSuite } from "./document-store-suite.ts";

documentStoreSuite("document store in memory", async () => {
  const store = new MemoryDocuments("thing");
  return { store, restart: () => store };
});
