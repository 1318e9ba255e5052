/** The last time that a thread of a flow was killed, and why. */
import { orThrow } from "../../../../src/client/client.ts";
import { type Polled, polled } from "../api/polled.ts";
import { runtimeOf, type Schemas } from "../api/runtime.ts";

type LastKill = Schemas["FlowDetail"]["lastKill"];

export function lastKillOf(target: string, id: string): Polled<LastKill> {
  return polled({
    load: async (signal) => {
      const flow = await orThrow(runtimeOf(target).GET("/_api/flows/{id}", { params: { path: { id } }, signal }));
      return flow.lastKill;
    },
    everyMs: 10_000,
    isVisible: () => !document.hidden,
  });
}
