import { candidatesFor } from "../completion/candidates.ts";
import { filesFit, shells } from "../completion/scripts.ts";
import { plainLine } from "../terminal.ts";
import { type AddCommand, addCommand } from "../tree.ts";

export const addCompletion: AddCommand = (parent, { terminal }) => {
  const group = addCommand(parent, "completion", {
    summary: "prints a script that completes commands, options, their values and files in a shell",
    details: "The script asks bulkhead itself at each completion, so it need not be made anew with another version.",
    examples: Object.values(shells).map(({ install }) => install),
  });
  for (const [shell, { script, install }] of Object.entries(shells)) {
    addCommand(group, shell, { summary: `the script for ${shell}`, examples: [install] }).action(() =>
      terminal.say(script.trimEnd()),
    );
  }
  addCommand(group, "words [words...]", {
    summary: "prints what the last of the words can be, which the scripts ask for",
    details: `A candidate a line, with a tab and what it is; the line ${filesFit} says that names of files fit, too.`,
    examples: ["bulkhead completion words -- list fl"],
  }).action((words: readonly string[]) => {
    const { words: found, files } = candidatesFor(parent, words);
    for (const { text, about } of found) terminal.say(about === "" ? text : `${text}\t${plainLine(about)}`);
    if (files) terminal.say(filesFit);
  });
};
