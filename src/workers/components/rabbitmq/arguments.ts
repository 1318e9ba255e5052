/** Arguments of what is declared, such as `queue.x-message-ttl=60000`, by what they are for (Camel: the option args). */
import type { Arguments } from "../../connectors/rabbitmq/channel.ts";
import { prefixedPairs } from "../../engine/prefixed.ts";

const groups = ["consumer", "exchange", "queue", "binding", "dlq.exchange", "dlq.queue", "dlq.binding"] as const;
type Group = (typeof groups)[number];

/** Arguments that the server expects as numbers, and as true or false. */
const numbers: ReadonlySet<string> = new Set(
  (
    "x-max-length x-max-length-bytes x-max-priority x-delivery-limit x-message-ttl x-expires x-priority x-quorum-initial-group-size " +
    "x-max-in-memory-length x-max-in-memory-bytes x-initial-cluster-size x-stream-max-segment-size-bytes x-consumer-timeout"
  ).split(" "),
);
const flags: ReadonlySet<string> = new Set(["x-single-active-consumer", "x-cancel-on-ha-failover"]);

export interface ArgumentGroup {
  readonly arguments: Arguments;
  /** Takes `durable`, `autoDelete` and `exclusive`, which are no arguments to the server. */
  flag(name: "durable" | "autoDelete" | "exclusive", otherwise: boolean): boolean;
}

/** Throws an Error for an argument of something else, and for a value that is not possible. */
export function argumentsFor(text: string | undefined): (group: Group) => ArgumentGroup {
  const byGroup = new Map<Group, Map<string, string>>(groups.map((group) => [group, new Map()]));
  for (const [written, value] of prefixedPairs(text)) {
    const name = written.replace(/^arg\./, "");
    const group = groups.find((one) => name.startsWith(`${one}.`) && name.length > one.length + 1);
    if (group === undefined)
      throw new Error(
        `the argument '${name.slice(0, 60)}' is for nothing: write ${groups.map((one) => `arg.${one}.name`).join(", ")}`,
      );
    byGroup.get(group)?.set(name.slice(group.length + 1), value);
  }
  return (group) => {
    const given = byGroup.get(group) ?? new Map<string, string>();
    const flagsGiven = new Set(["durable", "autoDelete", "exclusive"]);
    const own = [...given]
      .filter(([name]) => !flagsGiven.has(name))
      .map(([name, value]) => [name, argumentOf(name, value)]);
    return {
      arguments: Object.fromEntries(own),
      flag: (name, otherwise) => flagOf(name, given.get(name)) ?? otherwise,
    };
  };
}

function argumentOf(name: string, value: string): unknown {
  if (flags.has(name)) return flagOf(name, value);
  if (!numbers.has(name)) return value;
  if (!/^-?\d{1,15}$/.test(value))
    throw new Error(`the argument '${name}' is a whole number; found '${value.slice(0, 60)}'`);
  return Number(value);
}

function flagOf(name: string, value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  if (!/^(?:true|false)$/i.test(value))
    throw new Error(`the argument '${name}' is true or false; found '${value.slice(0, 60)}'`);
  return value.toLowerCase() === "true";
}
