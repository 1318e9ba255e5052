/** One case of the suite with one connector, while it runs. */
import assert from "node:assert/strict";
import type { TestApp } from "../../support/start-app.ts";
import { type Case, type Deployed, until } from "./case.ts";
import type { Connector, ProcessEnd, Rig, ServerEnd } from "./connector.ts";
import { type Decide, type Decider, type FlowOptions, flowOf } from "./flow.ts";
import { countOf, type Outcome } from "./outcome.ts";

/** How often a case changes what is under load. */
const changes = 6;
const changesOfSmoke = 2;

export interface RunParts {
  readonly connector: Connector;
  readonly rig: Rig;
  readonly app: TestApp;
  readonly decider: Decider;
  readonly decisions: { readonly losses: number; set(by: Decide): void };
  /** The table, to which it adds lines. */
  readonly outcomes: Outcome[];
  readonly name: string;
  /** Its number among the cases, which makes the ids of its flows. */
  readonly at: number;
  readonly isSmoke: boolean;
}

/** Cases take its functions out of it: these are bound to it. */
export class SuiteRun implements Case {
  readonly connector: Connector;
  readonly rig: Rig;
  readonly app: TestApp;
  readonly decider: Decider;
  readonly changes: number;
  readonly window: number;
  readonly #parts: RunParts;
  readonly #logsBefore: number;
  readonly #deployed: string[] = [];

  constructor(parts: RunParts) {
    this.connector = parts.connector;
    this.rig = parts.rig;
    this.app = parts.app;
    this.decider = parts.decider;
    this.changes = parts.isSmoke ? changesOfSmoke : changes;
    this.window = parts.connector.window ?? 1;
    this.#parts = parts;
    this.#logsBefore = parts.app.logs.length;
  }

  get server(): ServerEnd {
    assert.ok(this.rig.server, this.#parts.name);
    return this.rig.server;
  }

  get process(): ProcessEnd {
    assert.ok(this.rig.process, this.#parts.name);
    return this.rig.process;
  }

  decide = (by: Decide): void => this.#parts.decisions.set(by);

  deploy = async (flow: Partial<FlowOptions> = {}): Promise<Deployed> => {
    const id = `case${this.#parts.at}-${this.#deployed.length}`;
    const yaml = flowOf(id, this.rig, this.decider, flow);
    this.#deployed.push(id);
    const answer = await this.app.put(id, yaml);
    assert.ok(answer.ok, await answer.text());
    return { id, yaml };
  };

  arrived = async (produced: readonly string[], mostDoubled: number): Promise<readonly string[]> => {
    const { rig } = this;
    await until("all is consumed", async () => (await rig.left()) === 0).catch(async (error: unknown) => {
      const about = this.#lines().filter((line) => !line.includes("as decided"));
      throw new Error(`${await rig.left()} are left; the log: ${about.slice(-20).join("\n")}`, { cause: error });
    });
    const consumed = await rig.consumed();
    const counted = countOf(produced, consumed);
    this.note({ produced: produced.length, ...counted });
    assert.equal(counted.lost, 0);
    const most = this.connector.exactlyOnce ? 0 : mostDoubled + this.alsoLost();
    assert.ok(counted.doubled <= most, `${counted.doubled} are doubled, ${most} may be`);
    return consumed;
  };

  /** Where other work keeps the processors busy, a thread may be ended by a limit. */
  alsoLost = (): number => {
    const killed = this.#lines().filter((line) => line.startsWith("a thread was killed")).length;
    return Math.max(0, killed - this.#parts.decisions.losses);
  };

  note = (outcome: Omit<Outcome, "connector" | "test">): void => {
    this.#parts.outcomes.push({ connector: this.connector.name, test: this.#parts.name, ...outcome });
  };

  /** Removes its flows. */
  async end(): Promise<void> {
    for (const id of this.#deployed) await this.app.api(`/flows/${id}`, { method: "DELETE" });
  }

  #lines(): readonly string[] {
    return this.app.logs.slice(this.#logsBefore).map(({ message }) => message);
  }
}
