/** Options that several commands have, and how their values are read. */
import { type Command, Option } from "commander";
import { UsageError } from "./errors.ts";
import { wordOf } from "./tree.ts";

/** An option of a few words, of which a misspelt one is refused with the one that is meant. */
export function oneOf(flags: string, description: string, words: readonly string[]): Option {
  const option = new Option(flags, description);
  option.argParser((given: string) => wordOf(given, words, option.long ?? flags));
  // Completion offers them.
  option.argChoices = [...words];
  return option;
}

/** The value of an option that takes a whole number. */
export function wholeNumber(option: string, least = 1): (given: string) => number {
  return (given) => {
    const number = Number(given);
    if (/^\d+$/.test(given) && Number.isSafeInteger(number) && number >= least) return number;
    throw new UsageError(`${option} takes a whole number from ${least}, and '${given}' is none`);
  };
}

/** The value of an option of a time: `15m`, `2h`, `3d` ago, or a time as ISO 8601 has it. Returns it as the runtime reads it. */
export function pastTime(option: string): (given: string) => string {
  return (given) => {
    const [, count = "", unit = ""] = /^(\d{1,6})(s|m|h|d)$/.exec(given) ?? [];
    // Date.parse alone takes '5' for the May of 2001.
    const time = /^\d{4}-\d{2}-\d{2}(?:T|$)/.test(given) ? Date.parse(given) : Number.NaN;
    const ms = unit === "" ? time : Date.now() - Number(count) * unitMs[unit as keyof typeof unitMs];
    if (!Number.isNaN(ms)) return new Date(ms).toISOString();
    throw new UsageError(`${option} takes a time such as 15m, 2h, 3d or 2026-01-31T12:00:00Z, and '${given}' is none`);
  };
}

const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Adds the options that choose runs or messages of flows. */
export function withFlowFilter(command: Command): Command {
  return command.option("--flow <id>", "only those of this flow").option("--route <id>", "only those of this route");
}

/** The fields that are given: a query or a document without those that are undefined. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>;
}

type Given<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
