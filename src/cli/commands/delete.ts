import type { BulkheadClient } from "../../client/index.ts";
import { CommandError, UsageError } from "../errors.ts";
import { kinds } from "../kinds.ts";
import { sayJson, type Terminal } from "../terminal.ts";
import { type AddCommand, addCommand, type TargetOptions, withJson, withTarget, wordOf } from "../tree.ts";

const names = kinds.map(({ name }) => name);
const forced = kinds.filter((kind) => kind.forced === true).map(({ name }) => name);

interface DeleteOptions extends TargetOptions {
  readonly json?: boolean;
  readonly force?: boolean;
  readonly file?: boolean;
  readonly yes?: boolean;
}

export const addDelete: AddCommand = (parent, { terminal, connect }) => {
  const command = addCommand(parent, "delete", {
    summary: "removes a flow, a mapping, an access policy or a connection, or closes a test session",
    details: `The kinds are ${names.join(", ")}. A flow takes its failed messages and its state along. Its file goes, too, unless the runtime watches its folder (run --dev, ROUTES_WATCH): people edit files there, so it stays unless you say --file.`,
    examples: [
      "bulkhead delete flows orders",
      "bulkhead delete flows orders --file",
      "bulkhead delete value-mappings order-status --force",
    ],
  })
    .argument("<kind>", "its kind")
    .argument("<id>", "its id or name");
  const [kindArgument] = command.registeredArguments;
  if (kindArgument !== undefined) kindArgument.argChoices = [...names];
  withJson(withTarget(command))
    .option("--force", `removes one that flows use, too (${forced.join(", ")})`)
    .option("--file", "removes the file of a flow from a folder that the runtime watches, too; asks first")
    .option("-y, --yes", "removes the file without a question")
    .action(async (given: string, id: string, options: DeleteOptions) => {
      const name = wordOf(given, names, "delete");
      const kind = kinds.find((one) => one.name === name);
      const force = options.force === true;
      if (force && kind?.forced !== true) throw new UsageError(`delete --force is for ${forced.join(", ")}`);
      if (options.file === true && name !== "flows") throw new UsageError("delete --file is for flows");
      const api = await connect(options);
      const watched = name === "flows" && (await isWatched(api, id));
      if (watched && options.file === true && options.yes !== true) await confirm(terminal, id);
      const keepFile = watched && options.file !== true;
      const answer = await kind?.delete(api, id, { force, keepFile });
      if (options.json === true) sayJson(terminal, answer);
      else terminal.say(`${name === "test-sessions" ? "closed" : "removed"}: ${kind?.one} ${id}`);
      if (keepFile)
        terminal.complain(
          `${id}.yaml stays in the folder, and deploys the flow again when you change it or the runtime starts. To remove it, too: delete --file`,
        );
    });
};

/** Whether people edit the flow's file: the runtime deploys what they save. */
async function isWatched(api: BulkheadClient, id: string): Promise<boolean> {
  const { data } = await api.GET("/_api/flows/{id}", { params: { path: { id } } });
  return data?.watched === true;
}

/** Throws UsageError where nobody can be asked, and CommandError for any answer but yes. */
async function confirm({ ask }: Terminal, id: string): Promise<void> {
  if (ask === undefined)
    throw new UsageError(`delete --file removes ${id}.yaml from the folder: confirm it with --yes`);
  const answer = await ask(`Remove ${id}.yaml from the folder, too? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError("nothing was removed");
}
