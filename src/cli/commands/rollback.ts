import { type BulkheadClient, type components, orThrow } from "../../client/index.ts";
import { CommandError } from "../errors.ts";
import { wholeNumber } from "../options.ts";
import { sayTable } from "../table.ts";
import { plainLine, sayJson } from "../terminal.ts";
import { shortTime } from "../times.ts";
import { type AddCommand, addCommand, type TargetOptions, withJson, withTarget } from "../tree.ts";

interface Options extends TargetOptions {
  readonly json?: boolean;
  readonly to?: number;
  readonly list?: boolean;
  readonly dryRun?: boolean;
}

type Revision = components["schemas"]["Revision"];

export const addRollback: AddCommand = (parent, { terminal, connect }) => {
  const command = addCommand(parent, "rollback <flow>", {
    summary: "puts an earlier revision of a flow into service again",
    details: "Without --to it is the revision before the present one. --list shows those that are kept.",
    examples: ["bulkhead rollback orders", "bulkhead rollback orders --list", "bulkhead rollback orders --to 3"],
  });
  withJson(withTarget(command))
    .option("--to <revision>", "this revision", wholeNumber("--to"))
    .option("--list", "lists the revisions, and changes nothing")
    .option("--dry-run", "checks the revision, and changes nothing")
    .action(async (id: string, options: Options) => {
      const api = await connect(options);
      const params = { path: { id } };
      if (options.list === true) {
        const revisions = await orThrow(api.GET("/_api/flows/{id}/revisions", { params }));
        if (options.json === true) return sayJson(terminal, revisions);
        return sayTable(
          terminal,
          revisions,
          [
            { title: "REVISION", text: ({ revision }) => String(revision), right: true },
            { title: "", text: ({ current }) => (current ? "current" : ""), style: () => "green" },
            { title: "SAVED", text: ({ savedAt }) => shortTime(savedAt) },
            { title: "HASH", text: ({ hash }) => hash.slice(0, 12) },
          ],
          "There are no revisions.",
        );
      }
      const revision = options.to ?? (await before(api, id)).revision;
      const query = options.dryRun === true ? { dryRun: true } : {};
      const answer = await orThrow(
        api.POST("/_api/flows/{id}/rollback", { params: { path: { id }, query }, body: { revision } }),
      );
      if (options.json === true) return sayJson(terminal, answer);
      if (options.dryRun === true) terminal.say(`revision ${revision} of ${id} can be put into service`);
      else if (!answer.changed) terminal.say(`revision ${revision} of ${id} is the present one: nothing has changed`);
      else terminal.say(`revision ${revision} of ${id} is in service, as revision ${answer.revision}`);
      for (const { code, message } of answer.warnings) terminal.say(`warning[${code}]: ${plainLine(message)}`);
    });
};

/** The newest revision with another content than the present one. Throws CommandError when there is none. */
async function before(api: BulkheadClient, id: string): Promise<Revision> {
  const revisions = await orThrow(api.GET("/_api/flows/{id}/revisions", { params: { path: { id } } }));
  const current = revisions.find((one) => one.current);
  const [found] = revisions
    .filter(({ revision }) => revision < (current?.revision ?? Number.POSITIVE_INFINITY))
    .sort((a, b) => b.revision - a.revision);
  if (found !== undefined) return found;
  throw new CommandError(`no earlier revision of ${id} is kept: it cannot be rolled back`);
}
