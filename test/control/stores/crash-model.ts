/**
 * Sequences of changes, cut off at every operation by a loss of power, by a kill after which the runtime goes on and loses its
 * power later, or by a failure. Every disk that may be left is booted, and the boot's own operations are cut off likewise.
 */
import { hash } from "node:crypto";
import type { FlowStore } from "../../../src/control/stores/stores.ts";
import { Acknowledged, type Action } from "./acknowledged.ts";
import { checkRestart, dataDirectory, openOn, stateOf } from "./crash-check.ts";
import { CrashFs } from "./crash-fs.ts";
import type { Failpoint } from "./failpoints.ts";
import { hookedFs, systemError } from "./hooked-fs.ts";
import { outcomes } from "./outcomes.ts";

/** A sequence: actions that are made together, after those before them. */
export type Scenario = readonly (readonly Action[])[];

/** What happens at the operation of this number, from 1; afterwards the sequence goes on. */
export interface Incident {
  readonly kind: "kill" | "fail";
  readonly at: number;
}

interface LeftDisk {
  readonly disk: CrashFs;
  readonly promised: Acknowledged;
  readonly deletesFinished: boolean;
  readonly story: string;
  /** Boots that were cut off. */
  readonly boots: number;
}

export interface Figures {
  readonly states: number;
  readonly violations: readonly string[];
}

/** Thrown where a process dies, so that none of its code continues. */
const killed = systemError("KILLED");

export class CrashModel {
  readonly #without: Failpoint | undefined;
  readonly #bootsCutOff: number;
  readonly #seen = new Set<string>();
  readonly #left: LeftDisk[] = [];
  readonly #violations: string[] = [];

  /**
   * `without`: a sync that is left out, and missed as soon as one promise is broken. `bootsCutOff`: how many boots in a row may
   * lose their power; each may leave one more temp file, so that the states would have no end.
   */
  constructor({ without, bootsCutOff = 2 }: { readonly without?: Failpoint; readonly bootsCutOff?: number } = {}) {
    this.#without = without;
    this.#bootsCutOff = bootsCutOff;
  }

  get figures(): Figures {
    return { states: this.#seen.size, violations: this.#violations };
  }

  get #isOver(): boolean {
    return this.#without !== undefined && this.#violations.length > 0;
  }

  /** The scenario, cut off everywhere; the number of its operations. */
  async explore(scenario: Scenario, incident?: Incident): Promise<number> {
    if (this.#isOver) return 0;
    const disk = new CrashFs();
    const promised = new Acknowledged();
    let deletesFinished = true;
    let count = 0;
    const look = (point: string) =>
      this.#lookAt({ disk, promised, deletesFinished, story: describe(scenario, incident, point), boots: 0 });
    let dead = false;
    const before = (point: Failpoint): void => {
      if (dead) throw killed;
      count += 1;
      // What a loss of power leaves before the incident is known from the scenario without it.
      if (count > (incident?.at ?? 0)) look(`before ${count}, ${point}`);
      if (count !== incident?.at) return;
      dead = incident.kind === "kill";
      deletesFinished &&= dead;
      throw dead ? killed : systemError("EIO");
    };
    /** undefined: the flows could not be loaded. */
    const boot = async (): Promise<FlowStore | undefined> => {
      dead = false;
      const store = openOn(hookedFs({ before, without: this.#without }, disk));
      const flows = await store.load().catch(() => undefined);
      if (dead) return boot();
      for (const id of flows === undefined ? [] : promised.ids) {
        const flow = flows?.find((one) => one.id === id);
        promised.found(id, flow === undefined ? null : stateOf(flow));
      }
      return flows && store;
    };
    // The lock makes the data directory before the store is there.
    await disk.makeDirectory(dataDirectory);
    let store = await boot();
    for (const actions of scenario) {
      const serving = store;
      if (serving === undefined) break;
      await Promise.all(actions.map((action) => promised.act(serving, action, () => dead)));
      if (dead) store = await boot();
    }
    look("at the end");
    await this.#check();
    return count;
  }

  #lookAt({ disk, promised, ...more }: LeftDisk): void {
    let copy: Acknowledged | undefined;
    for (const left of outcomes((choose) => disk.afterPowerLoss(choose))) {
      const key = hash("sha256", `${pictureOf(left)}\n${JSON.stringify(promised)}${more.deletesFinished}`, "base64");
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      copy ??= promised.copy();
      this.#left.push({ disk: left, promised: copy, ...more });
    }
  }

  async #check(): Promise<void> {
    for (let left = this.#left.pop(); left !== undefined; left = this.#left.pop()) {
      if (this.#isOver) return;
      const { disk, promised, deletesFinished, story, boots } = left;
      const picture = pictureOf(disk);
      const again = (point: Failpoint) =>
        this.#lookAt({ ...left, story: `${story}; at boot before ${point}`, boots: boots + 1 });
      const hook = { ...(boots < this.#bootsCutOff && { before: again }), without: this.#without };
      const port = hookedFs(hook, disk);
      await checkRestart(disk, port, promised, deletesFinished).catch((error: unknown) => {
        this.#violations.push(`${story}: ${error instanceof Error ? error.message : String(error)}\n${picture}`);
      });
    }
  }
}

/** Without what differs from one run to the next. */
function pictureOf(disk: CrashFs): string {
  const text = new TextDecoder();
  return [...disk.files()]
    .map(([path, content]) => [
      path.replace(/[0-9a-f]{12}\.tmp$/, "tmp"),
      text
        .decode(content)
        .replace(/"savedAt": "[^"]*"/, "")
        .replaceAll("\0", "0"),
    ])
    .map((line) => JSON.stringify(line))
    .join("\n");
}

function describe(scenario: Scenario, incident: Incident | undefined, point: string): string {
  const what = scenario.map((actions) => actions.map(nameOf).join(" beside ")).join(", then ");
  return `${what}${incident === undefined ? "" : `, ${incident.kind} at ${incident.at}`}: ${point}`;
}

function nameOf(action: Action): string {
  if (action.kind === "keep") return `PUT ${action.id} ${JSON.stringify(action.content.yaml)}`;
  if (action.kind === "state") return `${action.state === "stopped" ? "stop" : "start"} ${action.id}`;
  return `DELETE ${action.id}${action.purge ? " with purge" : ""}`;
}
