/** What is left in the thread of a flow when its messages are through. */
import assert from "node:assert/strict";
import { type Case, type SuiteCase, texts, until } from "../case.ts";

/** A promise that is kept of each message shows at the first of these; the second tells it from what a pool keeps at its beginning. */
const perRound = 300;
const mostMore = 100;

async function counted({ app }: Case, id: string): Promise<number> {
  const answer = await app.post(`/api/${id}-count`, "");
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return Number(text);
}

export const growthCases: readonly SuiteCase[] = [
  {
    name: "no promise is left of messages that are through",
    async run(all) {
      const { rig } = all;
      const { id } = await all.deploy({ counts: true });
      const counts: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        await rig.produce(texts(perRound).map((text) => `${text}-${round}`));
        await until("all is consumed", async () => (await rig.left()) === 0);
        counts.push(await counted(all, id));
      }
      const [first = 0, second = 0, third = 0] = counts;
      all.note({
        note: `${first}, ${second} and ${third} promises after ${perRound}, ${2 * perRound} and ${3 * perRound}`,
      });
      assert.ok(third - second < mostMore, `${third - second} more promises after ${perRound} messages`);
    },
  },
];
