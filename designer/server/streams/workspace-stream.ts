/** Changes of the workspace's files as an event stream. */
import { limits } from "../limits.ts";
import type { WorkspaceWatch } from "../workspace/watch.ts";
import { eventText } from "./event-text.ts";

/** Ends when `over` is aborted. What a slow reader has not read yet is gathered: of each flow it gets the last change. */
export async function* workspaceStream(watch: WorkspaceWatch, over: AbortSignal): AsyncGenerator<string> {
  const changed = new Map<string, string | null>();
  let stirred = Promise.withResolvers<void>();
  const stir = (): void => stirred.resolve();
  const { flows, end } = await watch.listen((changes) => {
    for (const { id, etag } of changes) changed.set(id, etag);
    stir();
  });
  const beat = setInterval(stir, limits.heartbeatMs);
  over.addEventListener("abort", stir, { once: true });
  try {
    yield `retry: 2000\n\n${eventText("ready", { flows })}`;
    while (!over.aborted) {
      await stirred.promise;
      stirred = Promise.withResolvers();
      const changes = [...changed].map(([id, etag]) => ({ id, etag }));
      changed.clear();
      yield changes.length === 0 ? ":\n\n" : eventText("flows", changes);
    }
  } finally {
    clearInterval(beat);
    over.removeEventListener("abort", stir);
    end();
  }
}
