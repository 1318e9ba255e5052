/** Endpoints of the contract that later versions bring: known paths and methods, answered 501. */
import { AppError } from "../../shared/errors.ts";
import { type Action, type Endpoint, endpoint, type Method } from "./endpoint.ts";

type Row = readonly [method: Method, path: string, action: Action, name: string, what: string];

const rows: readonly Row[] = [["GET", "/_api/usage", "runtime.read", "getUsage", "usage by flow"]];

export function laterEndpoints(): Endpoint[] {
  return rows.map(([method, path, action, name, what]) =>
    endpoint({
      method,
      path,
      action,
      name,
      summary: `Not in this version: ${what}.`,
      answers: {},
      errors: ["not_implemented"],
      handle() {
        throw new AppError("not_implemented", `${method} ${path}: ${what} comes with a later version of the runtime`);
      },
    }),
  );
}
