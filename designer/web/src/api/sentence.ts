/** Errors in words for the person who meets them: what is wrong and what to do. */
import { ApiError, UnreachableError } from "../../../../src/client/errors.ts";
import { words } from "../words.ts";
import { DesignerError } from "./errors.ts";

/** The servers say in their messages what to do; the rest is said here. */
export function sentenceOf(error: unknown): string {
  if (error instanceof DesignerError && error.status !== 0) return error.message;
  if (error instanceof DesignerError || error instanceof UnreachableError) return words.errors.noServer;
  if (error instanceof ApiError) return error.message;
  return words.errors.unexpected(error instanceof Error ? error.message : String(error));
}
