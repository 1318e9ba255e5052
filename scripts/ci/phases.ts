/** What a change has to pass, in stages: the phases of a stage run side by side, and the next stage begins when all have ended. */
import type { Phase } from "./phase.ts";

const npm = (name: string, script: string, ...args: string[]): Phase => ({
  name,
  command: ["npm", "run", "--silent", script, ...(args.length > 0 ? ["--", ...args] : [])],
});

/** Lanes of the first stage: the phases of a lane run one after another. Two processors have both lanes to themselves. */
export const firstLanes: readonly (readonly Phase[])[] = [
  [npm("lint", "lint")],
  [
    npm("laws", "laws"),
    npm("types", "typecheck"),
    npm("generated docs", "docs", "--check"),
    npm("prose", "prose"),
    npm("unused", "unused"),
  ],
];

/** Debian's packages are installed one after another, so the browser comes before the servers. */
export const stages: readonly (readonly Phase[])[] = [
  [npm("npm test", "test")],
  [npm("slow tests", "test", "--slow-in-ci")],
  [npm("browser, installed", "test:browser", "--install")],
  [npm("servers, smoke", "test:servers", "--smoke"), npm("browser, smoke", "test:browser", "--smoke")],
];

/** Says which trials have not run since their files changed. */
export const trialsStatus = npm("trials, status", "trials", "--status");
