import { UsageError } from "../errors.ts";
import { kinds } from "../kinds.ts";
import { sayJson } from "../terminal.ts";
import { type AddCommand, addCommand, type TargetOptions, withJson, withTarget, wordOf } from "../tree.ts";

const names = kinds.map(({ name }) => name);
const forced = kinds.filter((kind) => kind.forced === true).map(({ name }) => name);

interface DeleteOptions extends TargetOptions {
  readonly json?: boolean;
  readonly force?: boolean;
}

export const addDelete: AddCommand = (parent, { terminal, connect }) => {
  const command = addCommand(parent, "delete", {
    summary: "removes a flow, a mapping, an access policy or a connection, or closes a test session",
    details: `The kinds are ${names.join(", ")}. A flow takes its failed messages and its state along.`,
    examples: ["bulkhead delete flows orders", "bulkhead delete value-mappings order-status --force"],
  })
    .argument("<kind>", "its kind")
    .argument("<id>", "its id or name");
  const [kindArgument] = command.registeredArguments;
  if (kindArgument !== undefined) kindArgument.argChoices = [...names];
  withJson(withTarget(command))
    .option("--force", `removes one that flows use, too (${forced.join(", ")})`)
    .action(async (given: string, id: string, options: DeleteOptions) => {
      const name = wordOf(given, names, "delete");
      const kind = kinds.find((one) => one.name === name);
      const force = options.force === true;
      if (force && kind?.forced !== true) throw new UsageError(`delete --force is for ${forced.join(", ")}`);
      const answer = await kind?.delete(await connect(options), id, { force });
      if (options.json === true) sayJson(terminal, answer);
      else terminal.say(`${name === "test-sessions" ? "closed" : "removed"}: ${kind?.one} ${id}`);
    });
};
