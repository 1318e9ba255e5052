import { sayBody } from "../answers.ts";
import { kinds } from "../kinds.ts";
import { plainText, sayJson } from "../terminal.ts";
import { type AddCommand, addCommand, type TargetOptions, withJson, withTarget, wordOf } from "../tree.ts";
import { stringifyYaml } from "../yaml.ts";

const names = kinds.map(({ name }) => name);

interface GetOptions extends TargetOptions {
  readonly json?: boolean;
  readonly source?: boolean;
}

export const addGet: AddCommand = (parent, { terminal, connect }) => {
  const command = addCommand(parent, "get", {
    summary: "shows a flow, a mapping, an access policy, a connection or a test session",
    details: `The kinds are ${names.join(", ")}. Prints YAML; --source prints the text of a flow as it was deployed, to be stored as a file.`,
    examples: ["bulkhead get flows orders", "bulkhead get flows orders --source > orders.yaml"],
  })
    .argument("<kind>", "its kind")
    .argument("<id>", "its id or name");
  const [kindArgument] = command.registeredArguments;
  if (kindArgument !== undefined) kindArgument.argChoices = [...names];
  withJson(withTarget(command))
    .option("--source", "prints only the YAML text of a flow")
    .action(async (given: string, id: string, options: GetOptions) => {
      const name = wordOf(given, names, "get");
      if (options.source === true) wordOf(name, ["flows"], "get --source");
      const document = await kinds.find((one) => one.name === name)?.get(await connect(options), id);
      if (options.source === true)
        sayBody(terminal, new TextEncoder().encode((document as { readonly yaml: string }).yaml));
      else if (options.json === true) sayJson(terminal, document);
      else terminal.say(plainText(stringifyYaml(document)));
    });
};
