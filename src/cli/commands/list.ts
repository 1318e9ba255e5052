import type { Command } from "commander";
import { kinds } from "../kinds.ts";
import { sayJson } from "../terminal.ts";
import { type AddCommand, addCommand, type TargetOptions, withJson, withTarget, wordOf } from "../tree.ts";

const names = kinds.map(({ name }) => name);

export const addList: AddCommand = (parent, { terminal, connect }) => {
  const command: Command = addCommand(parent, "list", {
    summary: "lists flows, mappings, access policies, connections or test sessions",
    details: `The kinds are ${names.join(", ")}.`,
    examples: ["bulkhead list flows", "bulkhead list connections --json"],
  }).argument("<kind>", "what to list");
  // The words that completion offers; the action refuses others itself.
  for (const argument of command.registeredArguments) argument.argChoices = [...names];
  withJson(withTarget(command)).action(async (kind: string, options: TargetOptions & { readonly json?: boolean }) => {
    const name = wordOf(kind, names, "list");
    const listing = await kinds.find((one) => one.name === name)?.list(await connect(options));
    if (options.json === true) sayJson(terminal, listing?.document);
    else listing?.print(terminal);
  });
};
