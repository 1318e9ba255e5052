/** All functions of simple by name. A new one is an entry in its family's table. */
import type { FunctionTable } from "../eval.ts";
import { collectionFunctions } from "./collection.ts";
import { dateFunctions } from "./date.ts";
import { messageFunctions } from "./message.ts";
import { miscFunctions } from "./misc.ts";
import { numberFunctions } from "./number.ts";
import { textFunctions } from "./text.ts";

export const functions: FunctionTable = {
  ...messageFunctions,
  ...textFunctions,
  ...numberFunctions,
  ...collectionFunctions,
  ...dateFunctions,
  ...miscFunctions,
};
