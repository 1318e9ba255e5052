/** Threads that are lost with the messages under way in them. */
import assert from "node:assert/strict";
import { type SuiteCase, texts, until } from "../case.ts";

const underWay = 16;

export const lossCases: readonly SuiteCase[] = [
  {
    name: "a thread is lost while 16 messages are under way in it, and all arrive",
    isSmoke: true,
    async run({ connector, rig, deploy, decide, arrived, note }) {
      const asked: string[] = [];
      const { mostWritten = underWay } = rig;
      const first = Promise.withResolvers<"lose">();
      decide((text) => {
        asked.push(text);
        if (asked.length === mostWritten) first.resolve("lose");
        // The first one ends the thread when all are there; the others wait for its end.
        if (asked.length === 1) return first.promise;
        return asked.length <= mostWritten ? new Promise(() => {}) : "go";
      });
      const produced = texts(4 * underWay);
      await rig.produce(produced);
      await deploy({ sources: rig.sources(underWay), writesFirst: true });
      await until("the first come again", () => asked.length > mostWritten);
      // What is not transacted was written, and was not acknowledged.
      assert.equal(new Set(asked.slice(0, mostWritten)).size, mostWritten);
      await arrived(produced, underWay);
      const again = asked.slice(mostWritten).filter((text) => asked.indexOf(text) < mostWritten).length;
      const waiting = mostWritten < underWay ? `, where ${underWay - mostWritten} waited to write` : "";
      note({ note: `${again} came again${waiting}` });
      if (!connector.exactlyOnce) assert.ok((await rig.consumed()).length > produced.length);
    },
  },
  {
    name: "two messages of 100 that end each thread are given up at their fifth delivery, and the others arrive",
    async run({ connector, rig, window, deploy, decide, arrived, alsoLost, app }) {
      const tries = { m1: 0, m50: 0 };
      decide((text) => {
        if (text !== "m1" && text !== "m50") return "go";
        tries[text] += 1;
        return "lose";
      });
      const produced = texts(100);
      await rig.produce(produced);
      await deploy();
      // The error handler of the flow writes them. Those of a window that were written ahead of the first loss come again.
      await arrived(produced, 2 * (window - 1));
      const { m1, m50 } = tries;
      const others = alsoLost();
      const seen = `m1 was run ${m1} times, m50 ${m50} times, and ${others} more threads were lost`;
      assert.ok(m1 <= 4 && m50 <= 4 && m1 + m50 + others >= 8, seen);
      const isCounted = app.logs.some(({ message }) => /each \w+ is counted until none is left/.test(message));
      assert.ok(isCounted || connector.countsItself === true);
    },
  },
];
