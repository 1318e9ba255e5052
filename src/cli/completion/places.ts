/** What may stand at each place of the command line, as completion needs it: made from the tree of commands. */
import type { Command } from "commander";

export interface Word {
  readonly text: string;
  readonly about: string;
}

export interface Place {
  /** The commands before it, such as `runs show`; empty: the beginning. */
  readonly path: string;
  readonly words: readonly Word[];
}

export function placesOf(program: Command): Place[] {
  const places: Place[] = [];
  const visit = (command: Command, path: readonly string[]): void => {
    const commands = command.commands.map((one) => ({ text: one.name(), about: one.summary() }));
    const choices = command.registeredArguments.flatMap(({ argChoices = [] }) =>
      argChoices.map((text) => ({ text, about: "" })),
    );
    const options = command.options.flatMap(({ long, description, hidden }) =>
      long == null || hidden ? [] : [{ text: long, about: description }],
    );
    const help = { text: "--help", about: "prints the help of the command" };
    places.push({ path: path.join(" "), words: [...commands, ...choices, ...options, help] });
    for (const one of command.commands) visit(one, [...path, one.name()]);
  };
  visit(program, []);
  return places;
}
