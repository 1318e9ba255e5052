/** Thread entry of the CheckPool. */
import { renounce } from "./renounce.ts";
import { takeOverOutput } from "./stdio.ts";

renounce();
// What is printed while a text is checked is nobody's, and dropped.
takeOverOutput();

export { assess, check, checkMapping, checkMocks, describe, exportCsv, tryMapping } from "./check-tasks.ts";
