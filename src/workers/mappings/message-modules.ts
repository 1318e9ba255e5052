/** What message mappings may need of libraries: a flow that uses one loads all of it, so that an update of the mapping never waits. */
import { LateModule } from "../engine/late-module.ts";
import { xmlLibrary } from "../formats/xml-reader.ts";
import { jsonataLibrary } from "../languages/jsonata/library.ts";

export const messageModules = new LateModule(async () => {
  await jsonataLibrary.load();
  await xmlLibrary.load();
  return true;
});
