/** What may stand at the end of a command line, by the tree of commands: the scripts of all shells ask for it. */
import type { Argument, Command, Option } from "commander";
import { pathOf } from "../tree.ts";

export interface Candidate {
  readonly text: string;
  readonly about: string;
}

export interface Candidates {
  readonly words: readonly Candidate[];
  /** Names of files fit, too. */
  readonly files: boolean;
}

/** Names of arguments and of values of options that are files or folders. */
const fileNames = new Set(["path", "paths", "file", "files", "folder", "directory", "archive"]);
const nothing: Candidates = { words: [], files: false };

/** `line`: the words behind `bulkhead`; the last one is that which is completed, and may be empty. */
export function candidatesFor(program: Command, line: readonly string[]): Candidates {
  const before = line.slice(0, -1);
  const last = line.at(-1) ?? "";
  const { command, position, waiting } = walk(program, before);
  // bash hands `--level=W` over as three words.
  const assigned =
    before.at(-1) === "=" || last === "=" ? optionNamed(command, line.at(last === "=" ? -2 : -3)) : waiting;
  if (assigned !== undefined) return beginningWith(last === "=" ? "" : last, valuesOf(assigned));
  const [, flag, value = ""] = /^(--[\w-]+)=(.*)$/.exec(last) ?? [];
  if (flag !== undefined) return prefixed(`${flag}=`, value, optionNamed(command, flag));
  if (last.startsWith("-")) return beginningWith(last, { words: optionsOf(command), files: false });
  const fitting = position === 0 ? commandsOf(command) : [];
  const argument = command.registeredArguments[position] ?? variadic(command);
  const { words, files } = argument === undefined ? nothing : valuesOf(argument);
  const found = beginningWith(last, { words: [...fitting, ...words], files });
  return found.words.length > 0 || files ? found : beginningWith(last, { words: optionsOf(command), files });
}

interface Place {
  readonly command: Command;
  /** How many arguments of the command stand there already. */
  readonly position: number;
  /** The option whose value is next. */
  readonly waiting: Option | undefined;
}

function walk(program: Command, words: readonly string[]): Place {
  let place: Place = { command: program, position: 0, waiting: undefined };
  for (const word of words) place = step(place, word);
  return place;
}

function step({ command, position, waiting }: Place, word: string): Place {
  if (waiting !== undefined) return { command, position, waiting: word === "=" ? waiting : undefined };
  if (word.startsWith("-")) {
    const option = word.includes("=") ? undefined : optionNamed(command, word);
    return { command, position, waiting: option?.required === true ? option : undefined };
  }
  const inner = position === 0 ? command.commands.find((one) => one.name() === word) : undefined;
  return inner === undefined
    ? { command, position: position + 1, waiting: undefined }
    : { command: inner, position: 0, waiting: undefined };
}

function optionNamed(command: Command, flag: string | undefined): Option | undefined {
  return command.options.find(({ long, short }) => flag !== undefined && (long === flag || short === flag));
}

function variadic(command: Command): Argument | undefined {
  return command.registeredArguments.find((argument) => argument.variadic);
}

/** The words of an argument, or of the value of an option. */
function valuesOf(one: Argument | Option): Candidates {
  const name = "flags" in one ? /[<[]([\w-]+)/.exec(one.flags)?.[1] : one.name();
  const words = (one.argChoices ?? []).map((text) => ({ text, about: "" }));
  return { words, files: fileNames.has(name ?? "") };
}

function commandsOf(command: Command): Candidate[] {
  return command.commands.map((one) => ({ text: one.name(), about: one.summary() || one.description() }));
}

function optionsOf(command: Command): Candidate[] {
  const own = command.options.flatMap(({ long, description, hidden }) =>
    long == null || hidden ? [] : [{ text: long, about: description }],
  );
  return [...own, { text: "--help", about: `prints the help of ${pathOf(command)}` }];
}

function beginningWith(start: string, { words, files }: Candidates): Candidates {
  return { words: words.filter(({ text }) => text.startsWith(start)), files };
}

/** Values that stand behind `=`; names of files cannot, since the shells would complete the whole word. */
function prefixed(flag: string, start: string, option: Option | undefined): Candidates {
  const { words } = option === undefined ? nothing : beginningWith(start, valuesOf(option));
  return { words: words.map(({ text, about }) => ({ text: flag + text, about })), files: false };
}
