/** Endpoints of the contract that later versions bring: known paths and methods, answered 501. */
import type * as z from "zod";
import { AppError } from "../../shared/errors.ts";
import { type Action, type Endpoint, endpoint, type Method } from "./endpoint.ts";
import { idParams, runIdParams } from "./schemas.ts";

type Row = readonly [method: Method, path: string, action: Action, name: string, what: string, params?: z.ZodType];

const rows: readonly Row[] = [
  ["GET", "/_api/usage", "runtime.read", "getUsage", "usage by flow"],
  ["GET", "/_api/runs/:runId/fixture", "runs.read", "getRunFixture", "making a test from a run", runIdParams],
  ["POST", "/_api/test/session", "tests.run", "openTestSession", "test sessions"],
  ["GET", "/_api/test/session/:id", "tests.run", "getTestSession", "test sessions", idParams],
  ["DELETE", "/_api/test/session/:id", "tests.run", "closeTestSession", "test sessions", idParams],
  ["POST", "/_api/test/invoke", "tests.run", "invokeInTest", "test sessions"],
];

export function laterEndpoints(): Endpoint[] {
  return rows.map(([method, path, action, name, what, params]) =>
    endpoint({
      method,
      path,
      action,
      name,
      summary: `Not in this version: ${what}.`,
      ...(params && { params }),
      answers: {},
      errors: ["not_implemented"],
      handle() {
        throw new AppError("not_implemented", `${method} ${path}: ${what} come with a later version of the runtime`);
      },
    }),
  );
}
