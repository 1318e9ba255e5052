/** The designer's own code runs it (first-word.ts): here it stands in help, completion and suggestions. */
import { designerWord } from "../first-word.ts";
import { type AddCommand, addCommand } from "../tree.ts";

export const addDesigner: AddCommand = (parent) => {
  const command = addCommand(parent, `${designerWord} [command]`, {
    summary:
      "starts the designer, which draws, deploys and watches flows in the browser; SIGTERM, Ctrl-C or the end of its terminal ends it",
    examples: ["bulkhead designer", "DESIGNER_PORT=8091 bulkhead designer", "bulkhead designer hash-password"],
  });
  for (const argument of command.registeredArguments) argument.argChoices = ["hash-password"];
};
