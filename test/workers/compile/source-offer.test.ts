/** What becomes of a message that a source offers, as the source hears it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { FlowLife, noPort } from "../../../src/workers/compile/flow-life.ts";
import { offerTo } from "../../../src/workers/compile/source-offer.ts";
import { blankExchange } from "../../../src/workers/engine/blank-exchange.ts";
import { FlowException } from "../../../src/workers/engine/exception.ts";
import type { Exchange } from "../../../src/workers/engine/exchange.ts";
import type { AnnouncePort } from "../../../src/workers/engine/flow-scope.ts";
import type { Offer } from "../../../src/workers/engine/source.ts";
import { turn } from "../../support/clock.ts";

const { run } = blankExchange(defaultLimits);

/** Runs begin at once, and end when the route is through. */
const opening: AnnouncePort = {
  ...noPort,
  hold: () => ({ withdraw() {} }),
  async begin(_held, _routeIndex, work) {
    const exchange = work.exchange(run);
    await work.process(exchange);
    return exchange;
  },
  room: async () => {},
};

function offering(
  port: Partial<AnnouncePort>,
  process: (exchange: Exchange) => Promise<void> | void,
  credits = 1,
  overdue: { watch(giveBack: unknown): () => void } = { watch: () => () => {} },
): Offer {
  const life = new FlowLife({ ...opening, ...port }, defaultLimits);
  const scope = life.scope(0, () => {});
  return offerTo(
    { routeId: "r", uri: "lines:a", scope, process, figures: { add() {}, moment() {} }, overdue },
    credits,
  );
}

test("a message whose run is over is done, and the run had its body, headers and properties", async () => {
  const offer = offering({}, (exchange) => exchange.message.headers.set("seen", exchange.message.body));
  const settled = await offer({ body: "b", headers: [["h", 1]], properties: [["p", 2]] });
  assert.equal(settled.outcome, "done");
  assert.ok("exchange" in settled);
  assert.deepEqual(
    [...settled.exchange.message.headers.entries()],
    [
      ["h", 1],
      ["seen", "b"],
    ],
  );
  assert.equal(settled.exchange.properties.get("p"), 2);
});

test("the exchange of a message whose sender waits for a reply is InOut, and others are InOnly", async () => {
  const patterns: string[] = [];
  const offer = offering({}, ({ pattern }) => void patterns.push(pattern));
  await offer({ body: "b", pattern: "InOut" });
  await offer({ body: "b" });
  assert.deepEqual(patterns, ["InOut", "InOnly"]);
});

test("a message whose run fails, or that cannot be read, has failed, and its exchange says of what", async () => {
  const broken = new Error("broken");
  const failing = offering({}, () => Promise.reject(broken));
  const reading = offering({}, () => assert.fail("the route is not for it"));
  for (const offered of [failing({ body: "b" }), reading({ body: null, unreadable: { error: broken } })]) {
    const settled = await offered;
    assert.deepEqual([settled.outcome, "error" in settled && settled.error], ["failed", broken]);
    assert.equal("exchange" in settled && settled.exchange.exception, broken);
  }
});

const full = new FlowException("java.util.concurrent.RejectedExecutionException", "full");

test("a message is lost when its run does not begin", async () => {
  const offer = offering({ begin: () => Promise.reject(full) }, () => {});
  assert.deepEqual(await offer({ body: "b" }), { outcome: "lost", error: full });
});

test("a message for whose run there is no place waits until there is one, also when another was quicker", async () => {
  let asked = 0;
  const hold: AnnouncePort["hold"] = () => {
    asked += 1;
    if (asked < 3) throw full;
    return { withdraw() {} };
  };
  const { outcome } = await offering({ hold }, () => {})({ body: "b" });
  assert.deepEqual([outcome, asked], ["done", 3]);
});

test("without a credit a message waits, and whoever asks hears when there is one", async () => {
  const began: unknown[] = [];
  const ends: (() => void)[] = [];
  const process = ({ message }: Exchange): Promise<void> => {
    began.push(message.body);
    return new Promise((resolve) => ends.push(resolve));
  };
  const offer = offering({}, process, 2);
  assert.equal(offer.free, 2);
  const all = ["a", "b", "c"].map((body) => offer({ body }));
  const ready = offer.ready().then(() => began.push("ready"));
  await turn();
  assert.deepEqual([began, offer.free], [["a", "b"], 0]);
  ends[0]?.();
  await all[0];
  await turn();
  assert.deepEqual(began, ["a", "b", "c"]);
  ends[1]?.();
  await ready;
  assert.deepEqual([began, offer.free], [["a", "b", "c", "ready"], 1]);
});

test("a message is watched while its run is under way, with the way to give it back", async () => {
  const watched: unknown[] = [];
  let settled = 0;
  const giveBack = (): void => {};
  const overdue = {
    watch(given: unknown) {
      watched.push(given);
      return () => void (settled += 1);
    },
  };
  const offer = offering({}, () => assert.equal(settled, 0), 1, overdue);
  await offer({ body: "b", giveBack });
  assert.deepEqual([watched, settled], [[giveBack], 1]);
});
