/** Waits for a place among the announced runs of a thread. */
import { exceptionType } from "./exception.ts";
import type { Exchange } from "./exchange.ts";
import type { FlowScope, Held } from "./flow-scope.ts";

/** Resolves when the thread has a place. `parent`: as of `FlowScope.hold`. */
export async function placeIn(scope: Pick<FlowScope, "room" | "hold">, parent: Exchange | undefined): Promise<Held> {
  for (;;) {
    await scope.room();
    try {
      return scope.hold(parent);
    } catch (error) {
      // Another caller has taken the place.
      if (!exceptionType(error).endsWith("RejectedExecutionException")) throw error;
    }
  }
}
