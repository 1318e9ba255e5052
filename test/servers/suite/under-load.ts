/** Flows under load, for the cases that change something meanwhile. */
import type { TestContext } from "node:test";
import { type Case, until } from "./case.ts";
import { Feeder } from "./feeder.ts";
import { retryFailed } from "./retry-failed.ts";

export async function consumesMore({ rig }: Case, count: number): Promise<void> {
  const before = (await rig.consumed()).length;
  await until(`${count} more have arrived`, async () => (await rig.consumed()).length >= before + count);
}

/** Feeds the source until the case ends, failed cases included: the next one begins with an empty source. */
export function feed({ rig }: Case, t: TestContext): Feeder {
  const feeder = new Feeder(rig);
  t.after(() => feeder.stop());
  return feeder;
}

/**
 * All that was fed arrives. What was acknowledged although its run has failed, as some protocols do it, is kept by the
 * runtime: it is retried, and may have been written before.
 */
export async function allArrive(all: Case, feeder: Feeder, mostDoubled: number): Promise<void> {
  const produced = await feeder.stop();
  const retried = await retryFailed(all.app);
  if (retried > 0) all.note({ note: `${retried} failed messages retried` });
  await all.arrived(produced, mostDoubled + retried);
}
