/** A source whose life the runtime attends to: what it waits for before it stops. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Attended, Taken } from "../../../src/workers/engine/attended/attended.ts";
import { attendedSource } from "../../../src/workers/engine/attended/attended-source.ts";
import type { NewMessage, Offer, Settled, SourceContext } from "../../../src/workers/engine/source.ts";
import { eventually, turn } from "../../support/clock.ts";

const report = { polls() {}, polled() {}, failed() {}, backlog() {}, redelivered() {} };
const context = { report, log() {}, state: () => undefined, limits: { connectionRetryMs: 10, outboundTotalMs: 1000 } };

/** A source with one message, whose run never ends, and what it has given back. */
function endless(): {
  readonly source: ReturnType<typeof attendedSource>;
  readonly offered: NewMessage[];
  readonly back: Taken[];
} {
  const offered: NewMessage[] = [];
  const back: Taken[] = [];
  const left: Taken[] = [
    { lane: {}, redelivered: false, keeps: false, key: () => "one", message: () => ({ body: "one" }) },
  ];
  const ended = new AbortController().signal;
  const attended = {
    ...{ scheme: "lines", word: "message", credits: 1, atMostOnce: true, aloneAfterLoss: false, bridgesErrors: false },
    connection: { lend: async () => ({ client: "client", ended, release() {} }) },
    open: async () => ({
      take: async (_most: number, stop: AbortSignal) => {
        if (left.length === 0) await new Promise((resolve) => stop.addEventListener("abort", resolve));
        return left.splice(0);
      },
      settle: () => assert.fail("the run has no outcome"),
      giveBack: (taken: Taken) => void back.push(taken),
      close() {},
    }),
  } as unknown as Attended<string, Taken>;
  const source = attendedSource(attended, context as unknown as SourceContext);
  const offer = (message: NewMessage): Promise<Settled> => (offered.push(message), new Promise(() => {}));
  source.start(Object.assign(offer, { free: 1, ready: async () => {} }) as unknown as Offer);
  return { source, offered, back };
}

test("a source waits for a message that is under way, and no longer when it was given back", async () => {
  const { source, offered, back } = endless();
  await eventually(() => offered.length === 1, "the message is offered");
  let stopped = false;
  void Promise.resolve(source.stop()).then(() => {
    stopped = true;
  });
  await turn();
  assert.equal(stopped, false);
  offered[0]?.giveBack?.();
  await turn();
  assert.equal(stopped, true);
  assert.equal(back.length, 1);
});
