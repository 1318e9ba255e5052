/** A source that polls: what becomes of the messages of a page when one of them cannot begin, and when the source stops among them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ended, Taken } from "../../../src/workers/engine/attended/attended.ts";
import { polledSource } from "../../../src/workers/engine/attended/polled-source.ts";
import { Exchange } from "../../../src/workers/engine/exchange.ts";
import type { Offer, Settled, Source, SourceContext } from "../../../src/workers/engine/source.ts";
import { eventually } from "../../support/clock.ts";

interface Numbered extends Taken {
  readonly number: number;
}

const exchange = Object.create(Exchange.prototype) as Exchange;
const done: Settled = { outcome: "done", exchange };

/** A source whose polls find three messages each, with a log of all that it does. */
function source(outcome: (number: number, source: Source) => Settled): {
  readonly log: string[];
  readonly source: Source;
} {
  const log: string[] = [];
  const report = { polls() {}, polled() {}, failed() {}, backlog() {}, redelivered() {} };
  const clock = { initialDelay: 0, delay: 10, useFixedDelay: true, greedy: false, repeatCount: 0 };
  const polled = polledSource<Numbered>(
    {
      ...{ scheme: "numbers", word: "message", uncounted: true },
      options: { ...clock, sendEmptyMessageWhenIdle: true },
      poll: async () => ({
        size: 3,
        claim(number) {
          log.push(`claim ${number}`);
          const lane = log;
          const message = () => ({ body: number });
          return { number, lane, message, key: () => `${number}`, keeps: false, redelivered: false, comesAnew: true };
        },
        leave: async (from) => void log.push(`leave from ${from}`),
        end: async () => (log.push("end"), false),
      }),
      settle: async ({ taken, outcome: how }: Ended<Numbered>) => void log.push(`${how} ${taken.number}`),
    },
    { report, log() {} } as unknown as SourceContext,
  );
  const offer = async ({ body }: { readonly body: unknown }): Promise<Settled> => outcome(body as number, polled);
  polled.start(Object.assign(offer, { free: 1, ready: async () => {} }) as unknown as Offer);
  return { log, source: polled };
}

test("a message that could not begin ends the poll: those behind it are left, and the next poll brings it first", async () => {
  let isFirst = true;
  const { log, source: polled } = source((number) => {
    if (number !== 1 || !isFirst) return done;
    isFirst = false;
    return { outcome: "lost", error: new Error("no room") };
  });
  await eventually(() => log.includes("end"), "a second poll");
  await polled.stop();
  const first = ["claim 0", "done 0", "claim 1", "lost 1", "leave from 2"];
  const second = ["claim 0", "done 0", "claim 1", "done 1", "claim 2", "done 2", "end"];
  assert.deepEqual(log.slice(0, 12), [...first, ...second]);
});

test("a source that stops at a message settles it, and leaves those behind it", async () => {
  const { log, source: polled } = source((_, own) => {
    own.pause();
    return done;
  });
  await eventually(() => log.length === 3, "it stops");
  await polled.stop();
  assert.deepEqual(log, ["claim 0", "done 0", "leave from 1"]);
});
