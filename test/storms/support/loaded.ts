/** Waits for the end of the boot load. */

/** Resolves when every flow has started or failed; `giveUpMs` from now it rejects. */
export async function loaded(url: string, giveUpMs = 60_000): Promise<void> {
  const until = performance.now() + giveUpMs;
  for (;;) {
    const answer = await fetch(`${url}/_api/health?probe=ready`);
    await answer.arrayBuffer();
    if (answer.ok) return;
    if (performance.now() > until) throw new Error(`the flows are not loaded after ${giveUpMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
