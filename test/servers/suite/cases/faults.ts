/** Connections that break as networks break them: the runtime is notified of a cut one, and of nothing else. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { eventually, monotonicMs } from "../../../support/clock.ts";
import { type Case, metric, patience, type SuiteCase, until } from "../case.ts";
import type { Reachable } from "../connector.ts";
import { FaultProxy } from "../fault-proxy.ts";
import { mostAhead } from "../feeder.ts";
import { allArrive, consumesMore, feed } from "../under-load.ts";

/** Bytes of answers after which a connection is cut: in a login, in a header, in a body. */
const cuts = [1, 30, 150, 700, 3000, 20_000];
const stallMs = 40_000;
/** Every wait on a connection ends within 30 s. A busy machine gets more time. */
const mostSeconds = 60;

/** Has the flows of the case use the server through a proxy, until the case is over. */
async function throughProxy({ rig, app, server }: Case, t: TestContext): Promise<FaultProxy> {
  const proxied = `/connections/${rig.connection}`;
  let proxy: FaultProxy | undefined;
  const runtime: Reachable = {
    url: app.url,
    async api(path, init = {}) {
      if (path !== proxied) return new Response("{}");
      const text = String(init.body);
      const [address = ""] = (JSON.parse(text) as { readonly servers: readonly string[] }).servers;
      const [host = "", port = ""] = address.split(":");
      const { announced } = server;
      proxy = await FaultProxy.start(t, announced?.real ?? { host, port: Number(port) }, announced?.port);
      // Host keys are known by their addresses, too.
      return await app.api(path, { ...init, body: text.replaceAll(`:${port}`, `:${proxy.port}`) });
    },
  };
  t.after(() => rig.connect(app));
  await rig.connect(runtime);
  assert.ok(proxy, `${rig.connection} is a connection of the rig`);
  return proxy;
}

interface Health {
  readonly problems: readonly { readonly message: string; readonly flowId?: string }[];
  readonly consumers: readonly { readonly flowId: string; readonly pollFailures: number; readonly failed: number }[];
}

interface Reported {
  readonly seconds: number;
  /** Where it was seen first. */
  readonly by: "a problem" | "a failed poll" | "a failed run";
}

/** Resolves when the health report has a problem with the connection or the flow, or a poll or a run of it that has failed. */
async function reported({ app, rig }: Case, id: string, began: number): Promise<Reported> {
  let first: Health["consumers"][number] | undefined;
  const by = await eventually(
    async (): Promise<Reported["by"] | undefined> => {
      const { problems, consumers } = (await (await app.api("/health")).json()) as Health;
      const consumer = consumers.find(({ flowId }) => flowId === id);
      first ??= consumer;
      if (problems.some(({ flowId, message }) => flowId === id || message.includes(rig.connection))) return "a problem";
      if ((consumer?.pollFailures ?? 0) > (first?.pollFailures ?? 0)) return "a failed poll";
      return (consumer?.failed ?? 0) > (first?.failed ?? 0) ? "a failed run" : undefined;
    },
    "it is reported",
    patience,
  );
  return { seconds: (monotonicMs() - began) / 1000, by };
}

/** How many runs of the flow have failed: each may have written its message. */
function failedRuns({ app }: Case, id: string): Promise<number> {
  return metric(app, "bulkhead_runs_total", `"${id}"`, '"failed"');
}

export const faultCases: readonly SuiteCase[] = [
  {
    name: "the connection is cut again and again in the middle of what it carries, and all arrive over others",
    needs: "server",
    async run(all, t) {
      const proxy = await throughProxy(all, t);
      const { id } = await all.deploy();
      const feeder = feed(all, t);
      await consumesMore(all, 20);
      let longest = 0;
      for (const bytes of cuts) {
        const before = proxy.cut;
        proxy.cutAfter(bytes);
        await until(`it is cut after ${bytes} bytes`, () => proxy.cut > before);
        const began = monotonicMs();
        await consumesMore(all, 20);
        longest = Math.max(longest, (monotonicMs() - began) / 1000);
      }
      // What was under way, and one whose confirmation was cut off.
      await allArrive(all, feeder, (all.window + 1) * proxy.cut + (await failedRuns(all, id)));
      assert.equal(all.alsoLost(), 0, "no thread is ended");
      all.note({ note: `${proxy.cut} cuts; 20 more within ${longest.toFixed(1)} s` });
    },
  },
  {
    name: "answers come in pieces, most of them of one byte, and each is read as it was sent",
    needs: "server",
    async run(all, t) {
      const proxy = await throughProxy(all, t);
      proxy.tear();
      await all.deploy();
      const feeder = feed(all, t);
      await consumesMore(all, 60);
      await allArrive(all, feeder, 0);
      assert.equal(all.alsoLost(), 0, "no thread is ended");
    },
  },
  {
    name: "connections are half open: what is sent over them vanishes, which fails in its time, and others are opened",
    needs: "server",
    async run(all, t) {
      const proxy = await throughProxy(all, t);
      const { id } = await all.deploy();
      const feeder = feed(all, t);
      await consumesMore(all, 20);
      proxy.swallow();
      const began = monotonicMs();
      const [{ seconds, by }] = await Promise.all([reported(all, id, began), consumesMore(all, 20)]);
      const recovered = (monotonicMs() - began) / 1000;
      // Acknowledgements vanish, too: all that the server had sent ahead comes again.
      await allArrive(all, feeder, mostAhead + (await failedRuns(all, id)));
      assert.equal(all.alsoLost(), 0, "no thread is ended");
      assert.ok(Math.max(seconds, recovered) < mostSeconds, `${seconds} s, and ${recovered} s`);
      all.note({
        note: `reported by ${by} after ${seconds.toFixed(1)} s, over others after ${recovered.toFixed(1)} s`,
      });
    },
  },
  {
    name: "answers stop for 40 s and come then: what waits for one fails in its time, and all arrive",
    needs: "server",
    async run(all, t) {
      const proxy = await throughProxy(all, t);
      const { id } = await all.deploy();
      const feeder = feed(all, t);
      await consumesMore(all, 20);
      proxy.hold();
      const began = monotonicMs();
      const { seconds, by } = await reported(all, id, began);
      await until("40 s are over", () => monotonicMs() - began > stallMs);
      proxy.goOn();
      const again = monotonicMs();
      await consumesMore(all, 20);
      const recovered = (monotonicMs() - again) / 1000;
      await allArrive(all, feeder, all.window + 1 + (await failedRuns(all, id)));
      assert.equal(all.alsoLost(), 0, "no thread is ended");
      assert.ok(seconds < mostSeconds, `${seconds} s`);
      all.note({
        note: `reported by ${by} after ${seconds.toFixed(1)} s, goes on ${recovered.toFixed(1)} s behind the stall`,
      });
    },
  },
];
