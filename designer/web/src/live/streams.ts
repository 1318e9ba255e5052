/** The events of a flow, followed over connections that the page shares. */
import type { LogEvent, TraceEvent } from "../../../../src/client/event-stream.ts";
import { eventStreams, type Follower } from "../api/events.ts";
import { runtimeOf } from "../api/runtime.ts";

const streams = eventStreams();

/** @returns ends it */
export function followTrace(target: string, flowId: string, follower: Follower<TraceEvent>): () => void {
  return streams.follow(
    `trace ${target} ${flowId}`,
    (signal) => runtimeOf(target).trace({ flowId }, { signal }),
    follower,
  );
}

/** Begins with the last lines. @returns ends it */
export function followLog(target: string, flowId: string, follower: Follower<LogEvent>): () => void {
  return streams.follow(
    `log ${target} ${flowId}`,
    (signal) => runtimeOf(target).logs({ flowId, replay: "100" }, { signal }),
    follower,
  );
}
