/**
 * Loaded into the runtime's process with `--import`, ahead of `src/control/main.ts`: its store's operations on the disk are counted,
 * at boot and for each request, and at the planned one the process dies, the request stands still, or the operation fails.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { type FsPort, nodeFs } from "../../../src/control/stores/fs-port.ts";
import { entries } from "../../../src/control/threads/code.ts";
import { type Failpoint, FailpointNames } from "../../control/stores/failpoints.ts";
import { hookedFs, systemError } from "../../control/stores/hooked-fs.ts";
import { bundle } from "../../support/bundles.ts";

/** Named and not numbered: operations of one change that run side by side come in another order each time. */
export interface Stop {
  readonly point: Failpoint;
  /** Which of the operations of this name, from 1. */
  readonly nth: number;
  readonly when: "before" | "after";
}

/** For the changes of one flow: where they stand still until the process is killed, and what fails once with EIO. */
export interface ChangePlan {
  readonly flowId: string;
  readonly stop?: Stop;
  readonly fail?: Failpoint;
}

/** To the parent: this flow's change stands still; or, as the answer to an empty message, the operations at boot and of each flow. */
export type DiskNews =
  | { readonly stopped: string }
  | { readonly passed: Readonly<Record<string, readonly Failpoint[]>> };

/** Kept, for what nobody could wake is garbage, and an open file among it an error. */
const standing: (() => void)[] = [];

/** One request's, or the boot's. */
class Operations {
  readonly plan: ChangePlan;
  readonly names = new FailpointNames();
  readonly passed: Failpoint[] = [];
  #failed = false;

  constructor(plan: ChangePlan) {
    this.plan = plan;
  }

  before(point: Failpoint): Promise<void> | undefined {
    this.passed.push(point);
    const held = this.stopIf(point, "before");
    if (held === undefined && point === this.plan.fail && !this.#failed) {
      this.#failed = true;
      throw systemError("EIO");
    }
    return held;
  }

  stopIf(point: Failpoint, when: Stop["when"]): Promise<void> | undefined {
    const { flowId, stop } = this.plan;
    if (stop?.point !== point || stop.when !== when) return undefined;
    if (this.passed.filter((one) => one === point).length !== stop.nth) return undefined;
    if (flowId === "") process.kill(process.pid, "SIGKILL");
    process.send?.({ stopped: flowId } satisfies DiskNews);
    return new Promise((goOn) => standing.push(goOn));
  }
}

const boot = new Operations(JSON.parse(process.env["STORM_BOOT_PLAN"] ?? '{"flowId":""}') as ChangePlan);
const plans = new Map<string, ChangePlan>();
const changes = new Map<string, Operations>();
const current = new AsyncLocalStorage<Operations>();
const operations = (): Operations => current.getStore() ?? boot;

subscribe("http.server.request.start", (message) => {
  const { url = "" } = (message as { readonly request: IncomingMessage }).request;
  const plan = plans.get(/\/_api\/flows\/([^/?]+)/.exec(url)?.[1] ?? "");
  const own = new Operations(plan ?? { flowId: "another" });
  if (plan !== undefined) changes.set(plan.flowId, own);
  current.enterWith(own);
});

const real: FsPort = { ...nodeFs };
const hooked = hookedFs(
  { before: (point) => operations().before(point), after: (point) => operations().stopIf(point, "after") },
  real,
  () => operations().names,
);
/**
 * What is not the flow store's: the cache of checked flows, whose files nobody waits for and which are written beside
 * the change, and the version of the directory.
 */
const others = /[/](?:checked(?:[/]|$)|[.]?version[.]json)|[/]data$/;
const portFor = (path: string): FsPort => (others.test(path) ? real : hooked);
Object.assign(nodeFs, {
  ...hooked,
  rename: (from, to) => portFor(to).rename(from, to),
  unlink: (path) => portFor(path).unlink(path),
  makeDirectory: (path, mode) => portFor(path).makeDirectory(path, mode),
  syncDirectory: (path) => hooked.syncDirectory(path),
  create: (path, mode) => portFor(path).create(path, mode),
} satisfies FsPort);
Object.assign(entries, {
  flow: bundle("flow-worker") ?? entries.flow,
  check: bundle("check-worker") ?? entries.check,
});

process.on("message", (wanted: readonly ChangePlan[]) => {
  const passed = Object.fromEntries([...changes].map(([flowId, own]) => [flowId, own.passed]));
  for (const plan of wanted) plans.set(plan.flowId, plan);
  process.send?.({ passed: { boot: boot.passed, ...passed } } satisfies DiskNews);
});
process.channel?.unref();
// A storm that is ended leaves no runtime behind.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
