/** What must be so while a flow is hostile, and what is not. */
import { availableParallelism } from "node:os";
import { type HostileCase, type Mode, shownText } from "../../../hostile/case.ts";
import { tickMs } from "./prober.ts";
import type { Tried } from "./rig.ts";

const MiB = 1024 * 1024;
const bars = {
  graceMs: 2000,
  healthMs: 100,
  lagMs: 50,
  memoryMiB: 100,
  awayMs: 1000,
  neighbourMs: 50,
  neighbourTimes: 3,
};
/** With fewer than eight cores the attack, its callers, the prober and the main loop take turns: a neighbour waits for a core, too. */
const turns = Math.max(1, 8 / availableParallelism());
const defaultMemoryMiB = 128;
/** What a flow that was stopped too often, or is called too often, answers. */
const later = ["503 flow_quarantined", "429 queue_full"];

/** What misses a bar; none: it is met. */
export function missedBars(attacked: HostileCase, mode: Mode, tried: Tried): readonly string[] {
  const missed: string[] = [];
  const must = (holds: boolean, what: string): void => {
    if (!holds) missed.push(what);
  };
  const [first] = tried.answers;
  const odd = tried.answers.filter(
    (answer) => !(attacked.answers.includes(shownText(answer)) || later.includes(shownText(answer))),
  );
  must(
    first !== undefined && attacked.answers.includes(shownText(first)),
    `its caller was told ${first && shownText(first)}`,
  );
  must(odd.length === 0, `callers were told ${odd[0] && shownText(odd[0])}: ${odd[0]?.text.slice(0, 200)}`);
  const slowest = Math.max(...tried.answers.map(({ ms }) => ms));
  const most = attacked.withinMs + bars.graceMs;
  must(slowest <= most, `a caller was told after ${Math.round(slowest)} ms, more than ${most}`);
  if (attacked.record !== undefined) must(attacked.record.test(tried.record), `its record says '${tried.record}'`);
  missed.push(...tried.also);
  must(tried.samePid, "the process is gone");
  if (!tried.samePid) return missed;

  const { noisy, quiet, ticks, lag } = tried;
  must(noisy.failed === 0, `${noisy.failed} calls of others failed: ${JSON.stringify(noisy.examples[0])}`);
  must(ticks.failed === 0 && ticks.count > 0, `${ticks.failed} of ${ticks.count} ticks of the timer failed`);
  must(ticks.gapMs <= tickMs + bars.neighbourMs * bars.neighbourTimes, `the timer was silent for ${ticks.gapMs} ms`);
  for (const name of ["echo", "chain"] as const) {
    const bar = Math.max(bars.neighbourMs * turns, bars.neighbourTimes * quiet.figures[name].p99);
    must(noisy.figures[name].p99 <= bar, `p99 of ${name} is over ${Math.round(bar)} ms`);
  }
  must(noisy.figures.health.p99 < bars.healthMs, `p99 of health is not under ${bars.healthMs} ms`);
  must((lag?.p99 ?? 0) < bars.lagMs, `the main loop's lag p99 is not under ${bars.lagMs} ms`);
  if (mode === "thread" && attacked.lagMostMs !== undefined) {
    const lagMost = attacked.lagMostMs * turns;
    must((lag?.most ?? 0) <= lagMost, `the main loop was late by more than ${lagMost} ms`);
  }
  const allowed = attacked.limits?.["workerMemoryBytes"];
  const own = (allowed === undefined ? defaultMemoryMiB : allowed / MiB) + (attacked.oneAllocationMiB ?? 0);
  const memory = own + bars.memoryMiB;
  must(tried.grownMiB <= memory, `memory grew by more than ${memory} MiB`);
  must(tried.grownAfterMiB <= bars.memoryMiB, `5 s later it holds more than ${bars.memoryMiB} MiB over what it was`);
  // In a thread, or of a host that lives, it has nothing to come back from but a lost turn.
  must(tried.siblingAwayMs <= bars.awayMs, `its sibling was away for ${Math.round(tried.siblingAwayMs)} ms`);
  return missed;
}
