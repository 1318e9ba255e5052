/** What the cases of the suite work with. */
import type { TestContext } from "node:test";
import { eventually } from "../../support/clock.ts";
import type { TestApp } from "../../support/start-app.ts";
import type { Connector, ProcessEnd, Question, Rig, ServerEnd } from "./connector.ts";
import type { Decide, Decider, FlowOptions } from "./flow.ts";
import type { Outcome } from "./outcome.ts";

export interface Case {
  readonly connector: Connector;
  readonly rig: Rig;
  /** For cases that need it. Throws an Error without one. */
  readonly server: ServerEnd;
  /** For cases that need it. Throws an Error without one. */
  readonly process: ProcessEnd;
  readonly app: TestApp;
  readonly decider: Decider;
  /** How often a case changes what is under load. */
  readonly changes: number;
  /** How many messages may be under way at a loss. */
  readonly window: number;
  /** Sets what becomes of messages from here on. */
  decide(by: Decide): void;
  /** Deploys a flow under an id of its own; it ends with the case. */
  deploy(flow?: Partial<FlowOptions>): Promise<Deployed>;
  /** Waits until nothing is left, counts, and fails when one is lost, or more are doubled than may be. */
  arrived(produced: readonly string[], mostDoubled: number): Promise<readonly string[]>;
  /** How many threads were lost in the case that the flow has not lost as decided. */
  alsoLost(): number;
  /** Adds a line to the table. */
  note(outcome: Omit<Outcome, "connector" | "test">): void;
}

export interface Deployed {
  readonly id: string;
  readonly yaml: string;
}

export interface SuiteCase {
  readonly name: string;
  /** true: it is alike however messages are acknowledged, and one connector to each server tries it. */
  readonly isAlike?: true;
  /** It asks something of code that connectors share: only those try it that answer for the code. */
  readonly question?: Question;
  /** It is left out for a connector without that. */
  readonly needs?: "server" | "process" | "redirect";
  /** true: each change is tried with it, for one connector to each server. */
  readonly isSmoke?: true;
  run(all: Case, t: TestContext): Promise<void>;
}

export const patience = 120_000;

export function until(what: string, ready: () => Promise<boolean> | boolean): Promise<unknown> {
  return eventually(async () => ((await ready()) ? true : undefined), what, patience);
}

export const texts = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `m${index}`);

/** Returns the sum of a metric over the lines whose labels contain all the texts. */
export async function metric({ api }: Pick<TestApp, "api">, name: string, ...labels: string[]): Promise<number> {
  const lines = (await (await api("/metrics")).text()).split("\n").filter((line) => line.startsWith(`${name}{`));
  return lines
    .filter((line) => labels.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
}
