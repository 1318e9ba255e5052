/** All functions of simple by name. */
import type { FunctionTable } from "../eval.ts";
import { changeFunctions } from "./change.ts";
import { collectionFunctions } from "./collection.ts";
import { dateFunctions } from "./date.ts";
import { eachFunctions } from "./each.ts";
import { fileFunctions } from "./file.ts";
import { mappingFunctions } from "./mapping.ts";
import { messageFunctions } from "./message.ts";
import { miscFunctions } from "./misc.ts";
import { numberFunctions } from "./number.ts";
import { parameterFunctions } from "./parameters.ts";
import { queryFunctions } from "./query.ts";
import { reportFunctions } from "./report.ts";
import { textFunctions } from "./text.ts";

export const functions: FunctionTable = {
  ...messageFunctions,
  ...textFunctions,
  ...numberFunctions,
  ...collectionFunctions,
  ...changeFunctions,
  ...eachFunctions,
  ...dateFunctions,
  ...miscFunctions,
  ...parameterFunctions,
  ...queryFunctions,
  ...fileFunctions,
  ...reportFunctions,
  ...mappingFunctions,
};
