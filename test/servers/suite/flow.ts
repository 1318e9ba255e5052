/** The flow of the suite, and what becomes of its messages. */
import type { Rig } from "./connector.ts";

/** What becomes of a message's run: `lose` ends its thread. */
export type Decision = "go" | "fail" | "lose";
/** Called with the text of each message; a promise keeps its run under way. */
export type Decide = (text: string) => Decision | Promise<Decision>;

export interface Decider {
  readonly host: string;
  readonly url: string;
}

export interface FlowOptions {
  readonly sources: readonly string[];
  /** Steps ahead of all others. */
  readonly before: string;
  /** true: a message is written before it is decided what becomes of it. */
  readonly writesFirst: boolean;
  /** What the decider is asked about; absent: the message's text. */
  readonly asked: string;
  /** The step that loses the thread; "": there is none, since the runtime does not have the component. */
  readonly lose: string;
  /** true: a webhook `<id>-count` answers how many promises there are in the thread. */
  readonly counts: boolean;
}

/** Asks the decider about each message, then fails, ends its thread, or writes the message. A message that is given up is written, too. */
export function flowOf(id: string, rig: Rig, decider: Pick<Decider, "url">, options: Partial<FlowOptions>): string {
  const { sources = [rig.from], before = "", writesFirst = false, lose = "{ to: lose-thread }" } = options;
  const { text, to } = rig;
  const { asked = text } = options;
  const on = (decision: Decision, step: string): string =>
    `{ filter: { simple: "\${variable.decision} == '${decision}'", steps: [${step}] } }`;
  const ask = [
    `{ toD: { uri: "${decider.url}/${asked}", variableReceive: decision } }`,
    ...(lose === "" ? [] : [on("lose", lose)]),
  ];
  const write = to(text);
  const fail = on("fail", `{ throwException: { exceptionType: java.io.IOException, message: "as decided" } }`);
  const steps = [...(writesFirst ? [write, ...ask] : [...ask, write]), fail].join();
  const dead = `- onException: { exception: [org.apache.camel.CamelExchangeException], handled: { constant: "true" }, steps: [${write}] }`;
  const routes = sources.map((from, at) => {
    const routeId = sources.length === 1 ? id : `${id}-${at}`;
    return `- route: { id: ${routeId}, from: { ${from.slice(1, -1)}, steps: [${before} ${steps}] } }`;
  });
  const counting = `- route: { id: ${id}-count, from: { uri: webhook, steps: [{ to: count-promises }] } }`;
  return [dead, ...routes, ...(options.counts === true ? [counting] : [])].join("\n");
}
