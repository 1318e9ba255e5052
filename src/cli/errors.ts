/** How a command can end other than well. */
import { ApiError, UnreachableError } from "../client/index.ts";

/** The command line or a file that it names cannot be used: exit code 2. */
export class UsageError extends Error {}

/** The command could not do what it was asked for: exit code 1. */
export class CommandError extends Error {}

export interface Ending {
  readonly code: 1 | 2;
  readonly message: string;
}

/** Returns what to print and the exit code; undefined for a fault of the program itself, which is thrown on. */
export function endingOf(error: unknown): Ending | undefined {
  if (error instanceof UsageError) return { code: 2, message: error.message };
  if (error instanceof CommandError) return { code: 1, message: error.message };
  if (error instanceof UnreachableError) return { code: 1, message: `${error.message}\n${howToReach}` };
  if (error instanceof ApiError) return { code: 1, message: refusal(error) };
  return undefined;
}

const howToReach = "Start a runtime with `bulkhead run`, or name another one with --url, --profile or BULKHEAD_URL.";

function refusal({ status, message }: ApiError<string>): string {
  if (status === 401) return `the runtime refuses the token: ${message}`;
  if (status === 403) return `the runtime does not allow this: ${message}`;
  return message;
}
