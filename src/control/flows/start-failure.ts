/** Why a flow that passed the check does not start. */
import { AppError, LateError } from "../../shared/errors.ts";
import { howToRaise } from "../../shared/limits.ts";
import { missingCode } from "../threads/code.ts";
import { CompileFailure, CompileLate } from "../threads/pooled-flow.ts";
import { noThreadError } from "../threads/thread-room.ts";

/** Rejects with startFailure of what `starting` rejects with. */
export async function refusable<T>(starting: Promise<T>): Promise<T> {
  try {
    return await starting;
  } catch (error) {
    throw startFailure(error);
  }
}

/** Turns a rejection by the thread into AppError flow_failed, and a late one, or one without code to load, into no_thread; other errors pass unchanged. */
export function startFailure(error: unknown): unknown {
  if (!(error instanceof CompileFailure)) return error;
  const missing = missingCode();
  if (missing !== undefined) return noThreadError(`the flow does not start: ${missing}`);
  const message = `the flow was accepted but does not start: ${error.message}`;
  if (!(error instanceof CompileLate)) return new AppError("flow_failed", message);
  return new LateError(
    "no_thread",
    `${message}: try again when the machine is less busy, or ${howToRaise("compileMs")}`,
    {
      "Retry-After": "10",
    },
  );
}
