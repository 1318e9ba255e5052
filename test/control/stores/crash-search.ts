/** Searches of the crash-state model: all that can be left of a scenario, and whether a sync would be missed. */
import { CrashModel, type Incident, type Scenario } from "./crash-model.ts";
import { basics, failed, killed } from "./crash-scenarios.ts";
import type { Failpoint } from "./failpoints.ts";

/** Runs the scenario undisturbed, and then with an incident at each of its operations; returns the number of runs. */
export async function searchAll(
  model: CrashModel,
  scenario: Scenario,
  incidents: readonly Incident["kind"][],
): Promise<number> {
  const operations = await model.explore(scenario);
  for (const kind of incidents) {
    for (let at = 1; at <= operations; at++) await model.explore(scenario, { kind, at });
  }
  return 1 + incidents.length * operations;
}

/** Undisturbed, then with kills, then with failures: most syncs are missed early. The first broken promise. */
export async function brokenWithout(sync: Failpoint): Promise<string | undefined> {
  const model = new CrashModel({ without: sync, bootsCutOff: 0 });
  for (const scenario of basics.slice(0, 4)) await searchAll(model, scenario, []);
  await searchAll(model, killed, ["kill"]);
  await searchAll(model, failed, ["fail"]);
  return model.figures.violations[0]?.split("\n")[0];
}
