/** The flow's own files, for both ends of an endpoint. */
import type { EndpointContext } from "../../engine/endpoint-context.ts";
import { FlowException } from "../../engine/exception.ts";
import { directoryName, FileArea } from "./area.ts";
import { diskAt } from "./disk.ts";
import type { Files } from "./file-system.ts";

/**
 * Throws for an invalid directory. The returned function is called when files are first used, since a thread that only
 * checks a flow has none; it throws in a thread without files.
 */
export function flowFiles(
  directory: string,
  { files, limits }: Pick<EndpointContext, "files" | "limits">,
): () => Files {
  const name = directoryName(directory);
  if (files === undefined) return noFiles;
  const own = { area: new FileArea(files, name), system: diskAt(files, limits) };
  return () => own;
}

function noFiles(): never {
  throw new FlowException(
    "java.lang.IllegalStateException",
    "the flow has no files: an endpoint 'file:' has to stand in its text, as in to: file:out?fileName=${header.name}",
  );
}
