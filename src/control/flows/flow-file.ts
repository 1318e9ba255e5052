/** A flow's file in the routes directory: whether it is one, and what is told of one that is not. */
import { AppError } from "../../shared/errors.ts";
import type { FlowFile, FlowText } from "../stores/stores.ts";
import type { FlowEntry } from "./flow-register.ts";

/** false: the file is listed under its whole name because it cannot be a flow, such as `other.yml`. */
export function isOwnFile({ id, file }: FlowFile): boolean {
  return file === `${id}.yaml`;
}

/** id_taken: a flow of this id would be listed under the same id as a file that is not its own. */
export function refuseOtherFile(id: string, text: FlowText | undefined): void {
  if (text === undefined || isOwnFile(text)) return;
  const { file, problem } = text;
  throw new AppError("id_taken", `'${id}' is the file '${file}' of the routes directory, not a flow's id: ${problem}`);
}

/** flow_invalid: the file cannot be loaded. */
export function refuseProblem({ file, problem }: FlowText): void {
  if (problem !== undefined) throw new AppError("flow_invalid", `${file}: ${problem}`);
}

/** not_found; `entry`: what still runs although its file was removed by hand. */
export function missing(id: string, entry: FlowEntry | undefined): AppError {
  if (entry?.deployment === undefined) return new AppError("not_found", `there is no flow '${id}'`);
  return new AppError(
    "not_found",
    `the file of the flow '${id}' is gone, and the flow runs as it was deployed: PUT it again, or DELETE it`,
  );
}
