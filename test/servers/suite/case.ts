/** What the cases of the suite work with: the flow, what becomes of its messages, and what has arrived. */
import type { TestContext } from "node:test";
import { eventually, type TestApp } from "../../support/start-app.ts";
import type { Connector, Rig } from "./connector.ts";
import type { Outcome } from "./outcome.ts";

/** What becomes of a message's run: `spin` loses its thread. */
export type Decision = "go" | "fail" | "spin";
/** Called with the text of each message; a promise keeps its run under way. */
export type Decide = (text: string) => Decision | Promise<Decision>;

export interface Decider {
  readonly host: string;
  readonly url: string;
}

export interface Case {
  readonly connector: Connector;
  readonly rig: Rig;
  readonly app: TestApp;
  readonly decider: Decider;
  /** Sets what becomes of messages from here on. */
  decide(by: Decide): void;
  /** Deploys a flow under an id of its own; it ends with the case. */
  deploy(flow?: Partial<FlowOptions>): Promise<Deployed>;
  /** Waits until nothing is left, counts, and fails when one is lost, or more are doubled than may be. */
  arrived(produced: readonly string[], mostDoubled: number): Promise<readonly string[]>;
  /** Adds a line to the table. */
  note(outcome: Omit<Outcome, "connector" | "test">): void;
}

export interface Deployed {
  readonly id: string;
  readonly yaml: string;
}

export interface SuiteCase {
  readonly name: string;
  run(all: Case, t: TestContext): Promise<void>;
}

export interface FlowOptions {
  readonly sources: readonly string[];
  /** Steps ahead of all others. */
  readonly before: string;
  /** true: a message is written before it is decided what becomes of it. */
  readonly writesFirst: boolean;
  /** false: the flow is for a runtime that does not have the component that loses a thread. */
  readonly spins: boolean;
}

/** Asks the decider about each message, then fails, ends its thread, or writes the message. A message that is given up is written, too. */
export function flowOf(id: string, rig: Rig, decider: Decider, options: Partial<FlowOptions>): string {
  const { sources = [rig.from], before = "", writesFirst = false, spins = true } = options;
  const { text, to } = rig;
  const on = (decision: Decision, step: string): string =>
    `{ filter: { simple: "\${variable.decision} == '${decision}'", steps: [${step}] } }`;
  const ask = [
    `{ toD: { uri: "${decider.url}/${text}", variableReceive: decision } }`,
    ...(spins ? [on("spin", "{ to: spin }")] : []),
  ];
  const write = to(text);
  const fail = on("fail", `{ throwException: { exceptionType: java.io.IOException, message: "as decided" } }`);
  const steps = [...(writesFirst ? [write, ...ask] : [...ask, write]), fail].join();
  const dead = `- onException: { exception: [org.apache.camel.CamelExchangeException], handled: { constant: "true" }, steps: [${write}] }`;
  const routes = sources.map((from, at) => {
    const routeId = sources.length === 1 ? id : `${id}-${at}`;
    return `- route: { id: ${routeId}, from: { ${from.slice(1, -1)}, steps: [${before} ${steps}] } }`;
  });
  return [dead, ...routes].join("\n");
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
