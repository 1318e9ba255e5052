/** The end of a thread that is being terminated. Native code cannot be interrupted: until it returns the thread holds what it has. */
import { levels } from "../../../shared/protocol.ts";
import type { FlowThread } from "../flow-thread.ts";
import { within } from "../within.ts";

const endMs = 1000;
const lowest = 19;

export async function awaitEnd({ booted, owner, number }: FlowThread): Promise<void> {
  if (await within(endMs, booted.ended)) return;
  booted.setNice(lowest);
  const message = `thread ${number} was killed and has not ended: it is in native code, and ends when that does`;
  owner.events.log(owner.flowId, undefined, -1, levels.indexOf("ERROR"), "runtime", message);
}
