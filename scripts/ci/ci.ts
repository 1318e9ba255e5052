/**
 * What a change has to pass, after `npm ci`: `.ci/run` runs all of it, `npm run check` the first stage alone (`--first`). If the first stage
 * fails, nothing else runs, so you hear of it within a minute. Every later stage runs, whatever fails, so that one run shows all failures.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Phase, type PhaseResult, runPhase } from "./phase.ts";
import { firstLanes, stages, trialsStatus } from "./phases.ts";
import { phaseTable } from "./table.ts";

const root = resolve(import.meta.dirname, "../..");
const { values } = parseArgs({
  options: {
    first: { type: "boolean", default: false },
    /** Seconds and CPU seconds of `npm ci`, which ran before: `31 45`. */
    install: { type: "string" },
  },
});
const results: PhaseResult[] = [];
if (values.install !== undefined) {
  const [seconds = 0, cpuSeconds = 0] = values.install.split(" ").map(Number);
  results.push({ name: "npm ci", passed: true, seconds, cpuSeconds, output: "" });
}

const began = performance.now();
await Promise.all(firstLanes.map(runLane));
if (!values.first && allPassed()) {
  for (const stage of stages) await Promise.all(stage.map((phase, at) => run(phase, at === 0)));
  await run(trialsStatus, true);
}
process.stdout.write(`\n${phaseTable(results)}\n`);
process.exitCode = allPassed() ? 0 : 1;

async function runLane(lane: readonly Phase[]): Promise<void> {
  for (const phase of lane) await run(phase, false);
}

/** `isShown`: what it prints is printed at once; otherwise at its end. */
async function run(phase: Phase, isShown: boolean): Promise<void> {
  const result = await runPhase(phase, root, isShown);
  results.push(result);
  const end = ((performance.now() - began) / 1000).toFixed(0);
  const verdict = `${phase.name}: ${result.passed ? "passed" : "FAILED"}, ${end} s after the start`;
  process.stdout.write(`${result.output}== ${verdict}\n`);
}

function allPassed(): boolean {
  return results.every(({ passed }) => passed);
}
