/**
 * Where each test file runs: in `npm test`, in `.ci/run` behind it, or in the trials alone. test/README.md has the picture.
 * `.ci/run` has room for 22 of these files: another one enters only when one leaves, which test/laws/circles.test.ts checks.
 */
import { leftForTrials } from "./left-for-trials.ts";
import { slow } from "./slow.ts";

export const mostSlowInCi = 22;

/** Files of slow.ts and left-for-trials.ts that `.ci/run` runs: a fault there loses data, breaks isolation or breaks the contract. */
export const slowInCi: readonly string[] = [
  "test/control/stores/crash-states.test.ts",
  "test/control/stores/crash-safety.test.ts",
  "test/control/stores/set-crashes.test.ts",
  "test/control/contract/errors.test.ts",
  "test/control/contract/trace-types.test.ts",
  "test/control/api/openapi-agrees.test.ts",
  "test/control/worker-frames.test.ts",
  "test/control/worker-reach.test.ts",
  "test/control/worker-check.test.ts",
  "test/control/isolation/hosts.test.ts",
  "test/control/isolation/given-up.test.ts",
  "test/control/supervision/limits.test.ts",
  "test/control/deploy-races.test.ts",
  "test/control/state/kills.test.ts",
  "test/control/connections/places.test.ts",
  "test/control/sources.test.ts",
  "test/control/begin-anew.test.ts",
  "test/control/process.test.ts",
  "test/workers/bounds.test.ts",
  "test/cli/deploy.test.ts",
  "test/cli/dev.test.ts",
  "test/examples-run.test.ts",
];

/** Files that neither `npm test` nor `.ci/run` runs. */
export const inTrials: readonly string[] = [...Object.keys(slow), ...Object.keys(leftForTrials)].filter(
  (file) => !slowInCi.includes(file),
);

/** Whether `npm test` runs a file. */
export function isInNpmTest(file: string): boolean {
  return slow[file] === undefined && leftForTrials[file] === undefined;
}

/** From the inner one to the outer one. */
export const circles = ["npm test", ".ci/run", "trials"] as const;
export type Circle = (typeof circles)[number];

export function circleOf(file: string): Circle {
  if (isInNpmTest(file)) return "npm test";
  return slowInCi.includes(file) ? ".ci/run" : "trials";
}
