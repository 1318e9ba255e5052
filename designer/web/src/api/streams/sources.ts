/** The event streams that a page can follow, and how they are opened. */
import { createClient } from "../../../../../src/client/client.ts";
import type { LogEvent, StreamMessage, TraceEvent } from "../../../../../src/client/event-stream.ts";
import { serverEvents } from "../../../../../src/client/server-events.ts";
import type { DesignerEvents } from "../../../../shared/wire.ts";
import type { OpenStream } from "./event-streams.ts";

export type StreamSource =
  /** Changes of the flows' files. */
  | { readonly kind: "workspace" }
  /** Of a flow on a runtime. */
  | { readonly kind: "trace"; readonly target: string; readonly flowId: string }
  /** It begins with the last lines. */
  | { readonly kind: "log"; readonly target: string; readonly flowId: string };

/** The events of a stream by its kind. */
export interface SourceEvents {
  readonly workspace: DesignerEvents["flows"];
  readonly trace: TraceEvent;
  readonly log: LogEvent;
}

/** Lines of the log that a follower gets first. */
export const logLines = 100;

/** Equal for sources that are the same stream. */
export function addressOf(source: StreamSource): string {
  return source.kind === "workspace" ? source.kind : `${source.kind} ${source.target} ${source.flowId}`;
}

interface Network {
  /** The origin of the designer's server. */
  readonly origin: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

export function openerOf(source: StreamSource, { origin, fetch }: Network): OpenStream<unknown> {
  if (source.kind === "workspace") return (signal) => workspaceEvents({ origin, fetch }, signal);
  const { kind, target, flowId } = source;
  const client = createClient({ url: `${origin}/targets/${encodeURIComponent(target)}`, fetch });
  return (signal) =>
    kind === "trace"
      ? client.trace({ flowId }, { signal })
      : client.logs({ flowId, replay: String(logLines) }, { signal });
}

/** Ends with its connection: the events have no numbers, and each connection begins with what everything is like then. */
async function* workspaceEvents(
  { origin, fetch }: Network,
  signal: AbortSignal,
): AsyncGenerator<StreamMessage<DesignerEvents["flows"]>> {
  const target = { url: `${origin}/designer/events`, headers: {}, fetch };
  const options = { lastEventId: undefined, signal, opened: () => {}, retry: () => {} };
  for await (const { name, data } of serverEvents(target, options)) {
    if (name === "ready") yield { kind: "ready", epoch: "", seq: 0 };
    if (name === "flows") yield { kind: "event", id: "", event: JSON.parse(data) as DesignerEvents["flows"] };
  }
}
