/** Many readers of event streams in one process, told what to do by the storm that forked it (crowd.ts). */
import { createHistogram } from "node:perf_hooks";
import type { CrowdOrder, CrowdReport } from "./crowd.ts";
import { Follower } from "./follower.ts";

const followers: Follower[] = [];
const delays = createHistogram();
let reconnects = 0;

async function obey(order: CrowdOrder): Promise<CrowdReport> {
  if (order.do === "open") {
    for (let left = order.count; left > 0; left -= 50) {
      const group = Array.from({ length: Math.min(50, left) }, () => new Follower({ ...order, delays }));
      followers.push(...group);
      await Promise.all(group.map(({ opened }) => opened));
    }
  } else if (order.do === "reconnect") {
    const healthy = followers.filter(({ stalls }) => !stalls);
    const one = healthy[Math.floor(order.random * healthy.length)];
    reconnects += 1;
    await one?.reconnect(order.afterMs);
  } else if (order.do === "resume") {
    const stalled = followers.filter(({ stalls, resumed, closedByServer }) => stalls && !resumed && !closedByServer);
    for (const one of stalled.slice(0, order.count)) one.resume();
  } else if (order.do === "forget delays") delays.reset();
  return report();
}

function report(): CrowdReport {
  return {
    reconnects,
    delayP50: delays.percentile(50),
    delayP99: delays.percentile(99),
    delayMax: delays.count === 0 ? 0 : delays.max,
    followers: followers.map((one) => ({
      trace: one.trace,
      stalls: one.stalls,
      resumed: one.resumed,
      closed: one.closedByServer,
      received: one.received,
      dropped: one.dropped,
      lost: one.lost,

      wrong: one.wrong,
      first: one.first ?? 0,
      next: one.next ?? 0,
    })),
  };
}

process.on("message", (order: CrowdOrder) => {
  void obey(order).then(
    (answer) => process.send?.(answer),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on("disconnect", () => process.exit(0));
