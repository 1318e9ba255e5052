/** Answers requests of control to look at the messages that wait for a source. What does so is loaded with the first of them. */
import type { Frames } from "../shared/frame-shape.ts";
import { ToControl } from "../shared/frames-to-control.ts";
import { threadFields } from "../shared/frames-to-thread.ts";
import { defaultLimits, type Limits } from "../shared/limits.ts";
import type { CompiledFlow } from "./compile/compile-flow.ts";
import { LateModule } from "./engine/late-module.ts";
import type { Line } from "./line.ts";

const { peek } = threadFields;
const looking = new LateModule(() => import("./peek.ts"));

interface Adopted {
  readonly flow: Pick<CompiledFlow, "life">;
  readonly limits: Limits;
}

/** Answers the `peek` frame that begins at this index. */
export async function answerPeek(line: Line, adopted: Adopted | undefined, frames: Frames, at: number): Promise<void> {
  const [id, route, limit] = [peek.id(frames, at), peek.route(frames, at), peek.limit(frames, at)];
  await looking.load();
  const { flow, limits = defaultLimits } = adopted ?? {};
  const answer = await looking.module().peekAt(flow?.life.sourceOf(route), limit, limits, line.mask);
  line.outbox.open().push(ToControl.peeked, id, JSON.stringify(answer));
}
