/** Where an endpoint remembers the files that it has taken (Camel: GenericFileEndpoint.getIdempotentRepository). */
import type { EndpointContext } from "../../engine/endpoint-context.ts";
import { exceptionMessage } from "../../engine/exception.ts";
import { type IdempotentRepository, idempotentRepository, MemoryKeys } from "../../engine/idempotent-repository.ts";
import type { FileOptions } from "./options.ts";
import { mostEntries } from "./walk.ts";

type Context = Pick<EndpointContext, "bean" | "state" | "warn">;

/**
 * Returns the repository of an endpoint; undefined: it remembers nothing. `name`: of its repository in the state store.
 * The thread remembers as many stored keys as one poll can find, so that files that stay are not asked about each time.
 */
export function takenFiles(options: FileOptions, name: string, context: Context): IdempotentRepository | undefined {
  const { noop, idempotent = noop, idempotentRepository: bean } = options;
  return idempotent ? idempotentRepository(bean, name, context, mostEntries) : undefined;
}

/**
 * Returns that of an endpoint that a step polls. One that only a message names cannot have a repository in the state
 * store, which the flow's text declares: its keys are in memory, and the log says so.
 */
export function polledFiles(
  options: FileOptions,
  context: Context & Pick<EndpointContext, "log">,
): IdempotentRepository | undefined {
  try {
    return takenFiles(options, `file:${options.directoryName.replaceAll("/", ":")}`, context);
  } catch (error) {
    if (options.idempotentRepository !== undefined) throw error;
    const where = `files of '${options.directoryName}' that were taken are remembered in memory`;
    context.log("WARN", "file", `${where}: ${exceptionMessage(error)}`);
    return new MemoryKeys(mostEntries);
  }
}
