/** The tree of commands: how one is added, and what each of them has in common. */
import { Command, type CommanderError } from "commander";
import type { BulkheadClient } from "../client/index.ts";
import { didYouMean } from "../shared/suggest.ts";
import { UsageError } from "./errors.ts";
import type { Terminal } from "./terminal.ts";

/** What commands work with. */
export interface Context {
  readonly terminal: Terminal;
  /**
   * Returns a client of the runtime that the command line, the environment or a profile names. `open`: for paths that need no token.
   * Rejects with UsageError.
   */
  connect(options: TargetOptions, open?: boolean): Promise<BulkheadClient>;
  /** The exit code of a command that does not throw: 0, unless it sets another. */
  readonly ending: { code: number };
}

export interface TargetOptions {
  readonly profile?: string;
  readonly url?: string;
}

/** A file of commands/ has one of these; index.ts lists them. */
export type AddCommand = (parent: Command, context: Context) => void;

export interface CommandText {
  readonly summary: string;
  /** More than the summary says; shown in the command's help. */
  readonly details?: string;
  readonly examples: readonly string[];
}

const texts = new WeakMap<Command, CommandText>();

/** Returns the texts of a command that was added with addCommand. */
export function textOf(command: Command): CommandText | undefined {
  return texts.get(command);
}

/** Adds a command. `usage`: its name and arguments, such as `get <kind> <id>`. */
export function addCommand(parent: Command, usage: string, text: CommandText): Command {
  // Options behind a command's word are that command's, also where those above it have one of the same name.
  const command = parent
    .command(usage)
    .enablePositionalOptions()
    .helpCommand(false)
    .helpOption("-h, --help", "prints this text");
  texts.set(command, text);
  command.summary(text.summary).description([text.summary, text.details ?? ""].join("\n\n").trim());
  command.addHelpText("after", `\nExamples:\n${text.examples.map((example) => `  ${example}`).join("\n")}`);
  return refusing(command);
}

/** Adds the options of a command that calls a runtime. */
export function withTarget(command: Command): Command {
  return command
    .option("--profile <name>", "the profile that names the runtime and its token")
    .option("--url <url>", "the runtime's address, in place of the profile's or BULKHEAD_URL");
}

/** Adds `--json`. */
export function withJson(command: Command, what = "prints the runtime's answer as JSON"): Command {
  return command.option("--json", what);
}

/** Returns the word, or throws UsageError. `what`: what it names. */
export function wordOf<Word extends string>(given: string, words: readonly Word[], what: string): Word {
  const found = words.find((word) => word === given);
  if (found !== undefined) return found;
  throw new UsageError(`${what}: there is no '${given}'${didYouMean(given, words)}; there are ${words.join(", ")}`);
}

/** The root of the tree, without commands. */
export function root({ say, width = 110 }: Terminal): Command {
  const program = new Command("bulkhead").enablePositionalOptions();
  program.configureOutput({ writeOut: (text) => say(text.trimEnd()), getOutHelpWidth: () => width });
  // The messages of commander, and the help that it prints for a group without a command, are replaced: see refusalOf.
  program.configureOutput({ outputError: () => undefined, writeErr: () => undefined }).showSuggestionAfterError(false);
  return refusing(program);
}

/** What commander refuses, and its help, end with an error that runProgram knows. */
function refusing(command: Command): Command {
  return command.exitOverride((error) => {
    if (error.exitCode === 0) throw error;
    throw new UsageError(`${refusalOf(command, error)}: see ${pathOf(command)} --help`);
  });
}

function refusalOf(command: Command, { code, message }: CommanderError): string {
  const named = /'([^']*)'/.exec(message)?.[1] ?? "";
  const commands = command.commands.map((one) => one.name());
  if (code === "commander.unknownCommand") return `there is no command '${named}'${didYouMean(named, commands)}`;
  if (code === "commander.excessArguments" && commands.length > 0) {
    const [word = ""] = command.args;
    return `there is no command '${word}'${didYouMean(word, commands)}`;
  }
  if (code === "commander.help") return `${pathOf(command)} takes a command: ${commands.join(", ")}`;
  if (code === "commander.unknownOption") {
    const known = ["help", ...command.options.map((option) => option.name())];
    const hint = didYouMean(named.replace(/^--?/, "").replace(/=.*/, ""), known).replace("'", "'--");
    const start = command.parent === null && hint === "" ? `: ${howToConfigure}` : "";
    return `there is no option '${named}'${hint}${start}`;
  }
  return message.replace(/^error: /, "").replace(/\.$/, "");
}

const howToConfigure = "the options of the runtime follow its command, such as bulkhead run --port 8081";

/** `bulkhead runs show`. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
