/** Failures of the disk as the errors that a caller sees. */
import { AppError, type ErrorCode } from "../../shared/errors.ts";

/** A change was made, could not be made durable, and could not be undone either: what is on the disk is unknown. */
export class TornWriteError extends Error {
  /** `what`: what has happened, absent: a write could not be undone. */
  constructor(cause: unknown, what = "a write could not be undone") {
    super(`${what} (${errorCode(cause)})`, { cause });
    this.name = "TornWriteError";
  }
}

/** A file of the data directory does not hold what was written there; the message names no path. */
export class DamagedError extends Error {}

/** For `catch`: a damaged file counts as absent. */
export function ignoreDamage(error: unknown): undefined {
  if (!(error instanceof DamagedError)) throw error;
}

/** Returns `ENOSPC`, `EIO`, ...; "unknown error" for an error without a code. Contains no path. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "unknown error";
}

/** Whether the entry does not exist, or cannot exist since a part of its path is not a directory. */
export function isAbsent(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(errorCode(error));
}

/**
 * Whether something other than a file of the store has the name: a directory, a link, a special file, or one that is
 * too long.
 */
export function isMisplaced(error: unknown): boolean {
  return ["EINVAL", "ELOOP", "ENXIO", "EFBIG"].includes(errorCode(error));
}

/** Whether the file system refused the write to this user, rather than failed at it. */
export function isRefused(error: unknown): boolean {
  return ["EACCES", "EPERM", "EROFS"].includes(errorCode(error));
}

/** Returns disk_full when the disk or the quota is full, else store_failed; an AppError is returned as it is. */
export function writeError(error: unknown): AppError {
  const code = errorCode(error);
  if (code === "ENOSPC" || code === "EDQUOT") {
    return appError("disk_full", "the disk is full; what was stored before is intact: free space and try again", error);
  }
  if (isRefused(error)) {
    const wanted = "make ROUTES_DIR and DATA_DIR writable for the runtime's user";
    return appError(
      "store_failed",
      `the store may not be written (${code}); what was stored before is intact: ${wanted}`,
      error,
    );
  }
  return appError("store_failed", `writing to the store failed (${code}); what was stored before is intact`, error);
}

export function readError(error: unknown): AppError {
  return appError("store_failed", `reading from the store failed (${errorCode(error)})`, error);
}

function appError(code: ErrorCode, message: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const error = new AppError(code, cause instanceof DamagedError ? cause.message : message);
  error.cause = cause;
  return error;
}
