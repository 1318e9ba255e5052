/** Thread entry of the CheckPool. */
import { renounce } from "./renounce.ts";
import { takeOverOutput } from "./stdio.ts";

renounce();
// Drops output that libraries print during a check.
takeOverOutput();

export {
  assess,
  check,
  checkMapping,
  checkMocks,
  describe,
  exportCsv,
  normalize,
  readCompanion,
  showKept,
  splitDeployment,
  tryExpression,
  tryMapping,
  tryValues,
} from "./check-tasks.ts";
