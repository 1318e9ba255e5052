/** Follows an event stream until Ctrl-C: over lost connections, with what the reader does not get. */
import type { StreamMessage, StreamOptions } from "../client/index.ts";
import type { Terminal } from "./terminal.ts";

export async function followEvents<E>(
  terminal: Terminal,
  open: (options: StreamOptions) => AsyncIterable<StreamMessage<E>>,
  show: (event: E) => void,
): Promise<void> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  process.once("SIGINT", end).once("SIGTERM", end);
  let opened = false;
  try {
    for await (const message of open({ signal: stop.signal })) {
      if (message.kind === "event") show(message.event);
      else if (message.kind === "ready") {
        terminal.complain(opened ? "Connected again." : "Following; Ctrl-C ends it.");
        opened = true;
      } else if (message.kind === "lost")
        terminal.complain(`bulkhead: ${message.reason}; next attempt in ${(message.afterMs / 1000).toFixed(1)} s`);
      else if (message.kind === "dropped")
        terminal.complain(`bulkhead: events are missing here: ${droppedOf(message)}`);
    }
  } finally {
    process.off("SIGINT", end).off("SIGTERM", end);
  }
}

function droppedOf({ kind: _, ...facts }: { readonly kind: string }): string {
  return Object.entries(facts)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(", ");
}
