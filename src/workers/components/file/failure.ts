/**
 * Failures of the disk, with the messages of Camel's file component. Paths are relative to the flow's area, never the
 * machine's.
 */
import { FlowException } from "../../engine/exception.ts";

const failed = "org.apache.camel.component.file.GenericFileOperationFailedException";

const noEntry = "java.nio.file.NoSuchFileException";
const denied = "java.nio.file.AccessDeniedException";
const other = "java.nio.file.FileSystemException";

/** The reason for each code of Node's errors, and the Java class of the cause. */
const reasons: Readonly<Record<string, readonly [why: string, type: string]>> = {
  ENOENT: ["there is no such file or directory", noEntry],
  EACCES: ["permission denied", denied],
  EPERM: ["permission denied", denied],
  ERR_ACCESS_DENIED: ["permission denied", denied],
  ENOSPC: ["no space is left on the disk", other],
  EDQUOT: ["the quota of the disk is used up", other],
  EROFS: ["the file system can only be read", other],
  EISDIR: ["it is a directory", other],
  ENOTDIR: ["a part of its path is no directory", other],
  EEXIST: ["it exists already", other],
  ENAMETOOLONG: ["a name is too long", other],
  EILSEQ: ["the file system does not take the name", other],
  EINVAL: ["the file system does not take the name", other],
  ELOOP: ["it is a link", other],
  ENXIO: ["it is no file", other],
  EMFILE: ["too many files are open", other],
  ENFILE: ["too many files are open", other],
  EIO: ["the disk failed", other],
  EXDEV: ["it is on another file system", other],
};

/** `what`: `Cannot store file`; `shown`: the path relative to the area. A FlowException is returned unchanged. */
export function fileFailure(what: string, shown: string, error: unknown): FlowException {
  if (error instanceof FlowException) return error;
  const code = codeOf(error) ?? "unknown error";
  const [why, type] = reasons[code] ?? [code, "java.io.IOException"];
  return refusal(`${what}: ${shortPath(shown)} (${why})`, new FlowException(type, `${shortPath(shown)}: ${why}`));
}

/** Makes the failure of an operation that Camel's file component refuses. */
export function refusal(message: string, cause?: unknown): FlowException {
  return new FlowException(failed, message, cause === undefined ? undefined : { cause });
}

export function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === "string" ? code : undefined;
}

/** Cuts a path, because names from messages may be of any length. */
export function shortPath(path: string): string {
  return path.length > 300 ? `${path.slice(0, 300)}...` : path;
}
