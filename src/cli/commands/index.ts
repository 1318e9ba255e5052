/** Every command, in the order of the help. A command is a file here and a line in this list. */
import type { Command } from "commander";
import type { AddCommand, Context } from "../tree.ts";
import { addBackup } from "./backup.ts";
import { addCall } from "./call.ts";
import { addCatalog } from "./catalog.ts";
import { addCompletion } from "./completion.ts";
import { addConnector } from "./connector.ts";
import { addDelete } from "./delete.ts";
import { addDeploy, addDiff } from "./deploy.ts";
import { addDesigner } from "./designer.ts";
import { addDoctor } from "./doctor.ts";
import { addFailed } from "./failed.ts";
import { addGet } from "./get.ts";
import { addInit } from "./init.ts";
import { addList } from "./list.ts";
import { addLogs } from "./logs.ts";
import { addNormalize } from "./normalize.ts";
import { addReload } from "./reload.ts";
import { addRollback } from "./rollback.ts";
import { addRuns } from "./runs.ts";
import { addRuntimeCommands } from "./runtime.ts";
import { addTop } from "./top.ts";
import { addTrace } from "./trace.ts";
import { addTrigger } from "./trigger.ts";
import { addValidate } from "./validate.ts";

const all: readonly AddCommand[] = [
  addRuntimeCommands,
  addDesigner,
  addInit,
  addCatalog,
  addValidate,
  addNormalize,
  addDeploy,
  addDiff,
  addRollback,
  addReload,
  addList,
  addGet,
  addDelete,
  addRuns,
  addFailed,
  addCall,
  addTrigger,
  addLogs,
  addTrace,
  addBackup,
  addDoctor,
  addTop,
  addConnector,
  addCompletion,
];

export function addCommands(program: Command, context: Context): void {
  for (const add of all) add(program, context);
}
