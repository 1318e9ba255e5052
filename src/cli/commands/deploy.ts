import { ApiError, type BulkheadClient, orThrow } from "../../client/index.ts";
import { CommandError, UsageError } from "../errors.ts";
import { sayFindings } from "../findings.ts";
import { given, wholeNumber } from "../options.ts";
import { planSummary, type SetAnswer, sayPlan } from "../plan.ts";
import { type Project, readProject, sourcesOf } from "../project.ts";
import { sayJson, type Terminal } from "../terminal.ts";
import { counted } from "../times.ts";
import { type AddCommand, addCommand, type TargetOptions, withJson, withTarget } from "../tree.ts";

interface Options extends TargetOptions {
  readonly json?: boolean;
  readonly set?: string;
  readonly dryRun?: boolean;
  readonly prune?: boolean;
  readonly expectRemovals?: number;
  readonly keepState?: boolean;
  readonly strict?: boolean;
  readonly exitCode?: boolean;
}

const contents =
  "A folder is its flows (*.yaml) with their companion files (*.flow.yaml), and documents/ with value-mappings/, message-mappings/, connections/ and auth/ (*.json); a file is one flow or document.";

export const addDeploy: AddCommand = (parent, { terminal, connect }) => {
  const command = addCommand(parent, "deploy <path>", {
    summary: "deploys a folder or a file in one piece: all of it, or nothing when one part does not pass",
    details: `${contents} Ends when the flows are in service. With --prune what an earlier deployment of the set brought and the folder does not have is removed.`,
    examples: [
      "bulkhead deploy routes",
      "bulkhead deploy routes --dry-run",
      "bulkhead deploy routes --set shop --prune",
    ],
  });
  withJson(withTarget(command))
    .option("--dry-run", "prints what would change, with diffs, and changes nothing")
    .option("--set <name>", "the name of the set, which --prune goes by")
    .option("--prune", "removes what the set had and has no longer")
    .option(
      "--expect-removals <number>",
      "so many removals are expected, where they are more than 10",
      wholeNumber("--expect-removals", 0),
    )
    .option("--keep-state", "keeps the state of flows that are removed")
    .option("--strict", "refuses mappings and policies with warnings")
    .action(async (path: string, options: Options) => {
      if (options.prune === true && options.set === undefined)
        throw new UsageError("--prune removes what an earlier deployment of a set brought: name it with --set");
      const project = readProject([path]);
      const api = await connect(options);
      const answer = await send(api, terminal, project, options, options.dryRun === true);
      if (options.json !== true) report(terminal, answer, answer.dryRun);
      const serves = answer.changed && !answer.dryRun;
      if (serves) await untilServing(api, answer);
      if (options.json === true) sayJson(terminal, answer);
      else if (serves) terminal.say(terminal.paint("green", "in service"));
    });
};

export const addDiff: AddCommand = (parent, { terminal, connect, ending }) => {
  const command = addCommand(parent, "diff <path>", {
    summary: "shows how a folder or a file differs from what is deployed; changes nothing",
    details: `${contents} Ends with 0 whether there are differences or not, unless --exit-code is given.`,
    examples: ["bulkhead diff routes", "bulkhead diff orders.yaml --exit-code"],
  });
  withJson(withTarget(command))
    .option("--set <name>", "the name of the set, to see what --prune would remove")
    .option("--exit-code", "ends with 1 when there are differences")
    .action(async (path: string, options: Options) => {
      const api = await connect(options);
      const asked = { ...options, ...(options.set !== undefined && { prune: true }) };
      const answer = await send(api, terminal, readProject([path]), asked, true);
      if (options.json === true) sayJson(terminal, answer);
      else report(terminal, answer, true);
      if (options.exitCode === true && answer.changed) ending.code = 1;
    });
};

/** Prints the findings of the files when the runtime refuses one of them. */
async function send(
  api: BulkheadClient,
  terminal: Terminal,
  project: Project,
  options: Options,
  dryRun: boolean,
): Promise<SetAnswer> {
  const { prune, expectRemovals, keepState, strict, set } = options;
  const { setOf } = await import("../set.ts");
  const body = await setOf(project, set);
  const keep = keepState === true ? ("state" as const) : undefined;
  const query = { dryRun, ...given({ prune, strict, expectRemovals, keep }) };
  try {
    return await orThrow(api.POST("/_api/deployments", { params: { query }, body }));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 422) throw error;
    const { checkProject } = await import("../offline-check.ts");
    const { findings } = await checkProject(project);
    const errors = findings.filter(({ severity }) => severity === "error");
    const shown = options.json !== true && errors.length > 0;
    if (shown) sayFindings(terminal, errors, sourcesOf(project));
    throw new CommandError(`nothing was deployed: ${shown ? counted(errors.length, "error") : error.message}`);
  }
}

function report(terminal: Terminal, answer: SetAnswer, diffs: boolean): void {
  sayPlan(terminal, answer, { diffs });
  const summary = answer.changed ? planSummary(answer) : "nothing differs: everything is deployed as it is here";
  terminal.say(terminal.paint("bold", summary));
}

/** Flows that start take so long at the most. */
const mostMs = 60_000;
const pauseMs = 200;

/** The runtime has answered when it has swapped the flows; routes of them may start still. Throws CommandError. */
async function untilServing(api: BulkheadClient, answer: SetAnswer): Promise<void> {
  const deployed = new Set(answer.flows.filter(({ action }) => action !== "remove").map(({ id }) => id));
  const until = Date.now() + mostMs;
  for (;;) {
    const flows = (await orThrow(api.GET("/_api/flows"))).filter(({ id }) => deployed.has(id));
    const bad = flows.filter(({ state }) => state === "Failed" || state === "Quarantined");
    if (bad.length > 0)
      throw new CommandError(
        `deployed, but not in service: ${bad.map(({ id, state, error = "" }) => `${id} is ${state} ${error}`.trim()).join("; ")}`,
      );
    const starting = flows.filter(({ state }) => state === "Starting");
    if (starting.length === 0) return;
    if (Date.now() > until)
      throw new CommandError(`deployed, but not yet in service: ${starting.map(({ id }) => id).join(", ")}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
