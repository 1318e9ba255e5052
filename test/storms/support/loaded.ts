/** Waits for the end of the boot load. */
import { monotonicMs, pause } from "../../support/clock.ts";

/** Resolves when every flow has started or failed; `giveUpMs` from now it rejects. */
export async function loaded(url: string, giveUpMs = 60_000): Promise<void> {
  const until = monotonicMs() + giveUpMs;
  for (;;) {
    const answer = await fetch(`${url}/_api/health?probe=ready`);
    await answer.arrayBuffer();
    if (answer.ok) return;
    if (monotonicMs() > until) throw new Error(`the flows are not loaded after ${giveUpMs} ms`);
    await pause(5);
  }
}
