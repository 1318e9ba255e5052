import { type BulkheadClient, type components, orThrow } from "../../client/index.ts";
import { CommandError, UsageError } from "../errors.ts";
import { refuseUnknown } from "../named-flow.ts";
import { given, oneOf, pastTime, wholeNumber, withFlowFilter } from "../options.ts";
import { runLine, sayRun, statusStyle } from "../runs-shown.ts";
import { sayEvents } from "../stream-options.ts";
import { sayTable } from "../table.ts";
import { sayJson } from "../terminal.ts";
import { counted, shortDuration, shortTime } from "../times.ts";
import { type AddCommand, addCommand, type Context, type TargetOptions, withJson, withTarget } from "../tree.ts";

const statuses = ["running", "completed", "failed", "timeout", "killed", "shed", "cancelled"] as const;

interface RunsOptions extends TargetOptions {
  readonly json?: boolean;
  readonly flow?: string;
  readonly route?: string;
  readonly status?: (typeof statuses)[number];
  readonly since?: string;
  readonly limit?: number;
  readonly follow?: boolean;
}

export const addRuns: AddCommand = (parent, context) => {
  const command = addCommand(parent, "runs", {
    summary: "lists the runs of flows, newest first",
    details: "With --follow it prints each run when it is over, until Ctrl-C.",
    examples: ["bulkhead runs --status failed --since 1h", "bulkhead runs --flow orders --follow"],
  });
  withJson(withTarget(withFlowFilter(command)))
    .addOption(oneOf("--status <status>", "only those that are", statuses))
    .option(
      "--since <time>",
      "only those that began after it, such as 15m, 2h or 2026-01-31T12:00:00Z",
      pastTime("--since"),
    )
    .option("--limit <number>", "at most so many", wholeNumber("--limit"))
    .option("-f, --follow", "prints runs as they end (with --json a line of JSON each)")
    .action(async (options: RunsOptions) => {
      if (options.follow === true) refuseUnfit(options);
      const api = await context.connect(options);
      await (options.follow === true ? follow(api, context, options) : list(api, context, options));
    });
  addShow(command, context);
  addRetry(command, context);
};

/** Throws UsageError: what is printed as runs end has no past and no end, and none of them is running. */
function refuseUnfit({ since, limit, status }: RunsOptions): void {
  if (since !== undefined || limit !== undefined)
    throw new UsageError("--since and --limit are for runs that are over: leave them out, or --follow");
  if (status === "running") throw new UsageError("--follow prints runs as they end: none of them is running");
}

async function list(api: BulkheadClient, { terminal }: Context, options: RunsOptions): Promise<void> {
  const { flow, route, status, since, limit } = options;
  const query = given({ flowId: flow, routeId: route, status, since, limit });
  const runs = await orThrow(api.GET("/_api/runs", { params: { query } }));
  if (runs.length === 0) await refuseUnknown(api, options);
  if (options.json === true) return sayJson(terminal, runs);
  sayTable(
    terminal,
    runs,
    [
      { title: "RUN", text: ({ id }) => id, whole: true },
      { title: "STARTED", text: ({ startedAt }) => shortTime(startedAt) },
      { title: "FLOW", text: ({ flowId }) => flowId, style: () => "bold" },
      { title: "ROUTE", text: ({ routeId }) => routeId },
      { title: "STATUS", text: (run) => run.status, style: (run) => statusStyle(run.status) },
      { title: "TOOK", text: ({ durationMs }) => shortDuration(durationMs), right: true },
      { title: "ERROR", text: ({ error, steps }) => error?.message ?? failedSteps(steps.failed) },
    ],
    "There are no such runs.",
  );
}

/** What a run that went well has had handled, or was answered without. */
function failedSteps(number: number): string {
  return number === 0 ? "" : `(${counted(number, "step")} failed)`;
}

async function follow(api: BulkheadClient, { terminal }: Context, options: RunsOptions): Promise<void> {
  const { flow, route, status } = options;
  const query = {
    type: ["run.completed", "run.failed", "run.killed", "run.shed"],
    ...given({ flowId: flow, routeId: route, status }),
  };
  await sayEvents(terminal, api, options, (stream) => api.trace(query, stream), runLine);
}

function addShow(parent: Parameters<AddCommand>[0], { terminal, connect }: Context): void {
  const command = addCommand(parent, "show <run>", {
    summary: "shows a run: its steps, its error with place and message",
    examples: ["bulkhead runs show mwzcj9vp-321c0056f19e106e"],
  });
  withJson(withTarget(command)).action(async (runId: string, options: TargetOptions & { readonly json?: boolean }) => {
    const api = await connect(options);
    const run = await orThrow(api.GET("/_api/runs/{runId}", { params: { path: { runId } } }));
    if (options.json === true) sayJson(terminal, run);
    else sayRun(terminal, run);
  });
}

type FailedMessage = components["schemas"]["FailedMessage"];

function addRetry(parent: Parameters<AddCommand>[0], { terminal, connect }: Context): void {
  const command = addCommand(parent, "retry <run>", {
    summary: "runs the kept message of a failed run again",
    details: "Messages are kept of runs whose sender was not told of the failure (bulkhead failed lists them).",
    examples: ["bulkhead runs retry mwzcj9vp-321c0056f19e106e"],
  });
  withJson(withTarget(command)).action(async (runId: string, options: TargetOptions & { readonly json?: boolean }) => {
    const api = await connect(options);
    const { id } = await keptOf(api, runId);
    const answer = await orThrow(api.POST("/_api/failed/{id}/retry", { params: { path: { id } } }));
    if (options.json === true) sayJson(terminal, answer);
    else terminal.say(`retried: run ${answer.runId}`);
  });
}

/** The failed message that a run has left. Throws CommandError when there is none. */
async function keptOf(api: BulkheadClient, runId: string): Promise<FailedMessage> {
  const { flowId, status } = await orThrow(api.GET("/_api/runs/{runId}", { params: { path: { runId } } }));
  const kept = await orThrow(api.GET("/_api/failed", { params: { query: { flowId, limit: 1000 } } }));
  const found = kept.find((message) => message.runId === runId);
  if (found !== undefined) return found;
  throw new CommandError(
    `no message of run ${runId} (${status}) is kept: its sender was told of the end, or it was retried or discarded; bulkhead failed --flow ${flowId} lists what is kept`,
  );
}
