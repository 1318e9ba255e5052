import { type BulkheadClient, type components, orThrow } from "../../client/index.ts";
import { plainLine, sayJson, type Terminal } from "../terminal.ts";
import { type AddCommand, addCommand, type TargetOptions, withJson, withTarget } from "../tree.ts";

interface Options extends TargetOptions {
  readonly json?: boolean;
}

/** What became of a flow's file: the answer to its reload, or why it was refused. */
type Outcome =
  | (Pick<components["schemas"]["PutAnswer"], "revision" | "changed" | "warnings"> & { readonly id: string })
  | { readonly id: string; readonly error: string };

export const addReload: AddCommand = (parent, { terminal, connect, ending }) => {
  const command = addCommand(parent, "reload [flows...]", {
    summary: "deploys files of ROUTES_DIR as they are now, with their companion files",
    details:
      "Without flows it takes those whose files wait: files that were changed or added by hand while the runtime does not watch the directory (list flows shows them as Changed); flows that are stopped stay so. One by one; ends with 1 when one is refused.",
    examples: ["bulkhead reload", "bulkhead reload orders"],
  });
  withJson(withTarget(command), "prints what became of each as JSON").action(
    async (flows: readonly string[], options: Options) => {
      const api = await connect(options);
      const outcomes: Outcome[] = [];
      for (const id of flows.length > 0 ? flows : await waiting(api)) outcomes.push(await reload(api, id));
      if (options.json === true) sayJson(terminal, outcomes);
      else if (outcomes.length === 0) terminal.say("no file waits");
      else for (const one of outcomes) sayOutcome(terminal, one);
      if (outcomes.some((one) => "error" in one)) ending.code = 1;
    },
  );
};

function sayOutcome(terminal: Terminal, one: Outcome): void {
  if ("error" in one) {
    terminal.complain(`bulkhead: ${one.id}: ${plainLine(one.error)}`);
    return;
  }
  terminal.say(`${one.id}: revision ${one.revision} serves${one.changed ? "" : ", as before"}`);
  for (const { code, message, line } of one.warnings) {
    const place = line === null ? "" : ` ${one.id}.yaml:${line}:`;
    terminal.say(`  warning[${code}]:${place} ${plainLine(message)}`);
  }
}

/** The flows whose files are not deployed as they are. */
async function waiting(api: BulkheadClient): Promise<readonly string[]> {
  const flows = await orThrow(api.GET("/_api/flows"));
  return flows
    .filter(({ state, error, routes }) => state === "Changed" && error === undefined && !isStopped(routes))
    .map(({ id }) => id);
}

/** A reload would start it. */
function isStopped(routes: readonly { readonly status: string }[]): boolean {
  return routes.length > 0 && routes.every(({ status }) => status === "Stopped");
}

async function reload(api: BulkheadClient, id: string): Promise<Outcome> {
  const { data, error } = await api.POST("/_api/flows/{id}/reload", { params: { path: { id } } });
  if (data === undefined) return { id, error: error.message };
  const { revision, changed, warnings } = data;
  return { id, revision, changed, warnings };
}
