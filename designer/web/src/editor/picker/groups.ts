/** The groups of the picker: to which of them a step belongs. */
import type { words } from "../../words.ts";

export type Group = keyof typeof words.picker.groups;

const groups: Readonly<Record<Exclude<Group, "connectors" | "other" | "triggers" | "flow">, string>> = {
  mappings: "valueMapping messageMapping",
  message:
    "setBody setHeader setHeaders setProperty setVariable setVariables removeHeader removeHeaders removeProperties removeProperty removeVariable transform convertBodyTo convertHeaderTo convertVariableTo sort script log claimCheck setExchangePattern",
  routing:
    "choice filter split aggregate multicast loop recipientList routingSlip dynamicRouter loadBalance resequence pipeline step to toD wireTap enrich poll pollEnrich",
  formats: "marshal unmarshal validate",
  errors: "doTry circuitBreaker throwException rollback stop idempotentConsumer",
  time: "delay throttle sample threads",
};

const groupOfStep = new Map(
  Object.entries(groups).flatMap(([group, steps]) => steps.split(" ").map((step) => [step, group as Group])),
);

export function groupOf(step: string): Group {
  return groupOfStep.get(step) ?? "other";
}
