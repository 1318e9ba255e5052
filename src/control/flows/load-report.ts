/** What the log says when all flows are loaded: how many are, and which files of the routes directory are none. */
import type { FlowRegister } from "./flow-register.ts";
import type { FlowsHealth } from "./flow-service.ts";

export interface LoadReport {
  /** `2 flows loaded`; `1 of 2 flows loaded` when one could not be. */
  readonly summary: string;
  /** Files that were not tried; flows that did not deploy have said so. */
  readonly ignored: readonly string[];
}

/** Files that are named, each in a line of its own. */
const mostNamed = 50;

export function loadReport({ failedFiles }: Pick<FlowsHealth, "failedFiles">, register: FlowRegister): LoadReport {
  const failed = new Set<string>();
  let loaded = 0;
  for (const { id, state } of register.all()) {
    if (state === "Failed") failed.add(`${id}.yaml`);
    else loaded += 1;
  }
  const ignored = failedFiles.filter(({ file }) => !failed.has(file));
  const more = ignored.length - mostNamed;
  const all = loaded + failedFiles.length;
  return {
    summary: `${all === loaded ? loaded : `${loaded} of ${all}`} flows loaded`,
    ignored: [
      ...ignored.slice(0, mostNamed).map(({ file, reason }) => `${file} is not loaded: ${reason}`),
      ...(more > 0 ? [`${more} more files of the routes directory are not loaded: GET /_api/health names them`] : []),
    ],
  };
}
