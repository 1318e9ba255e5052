import { type components, orThrow } from "../../client/index.ts";
import { CommandError, UsageError } from "../errors.ts";
import { sayFailed, stateStyle } from "../failed-shown.ts";
import { refuseUnknown } from "../named-flow.ts";
import { given, oneOf, pastTime, wholeNumber, withFlowFilter } from "../options.ts";
import { sayTable } from "../table.ts";
import { sayJson } from "../terminal.ts";
import { shortBytes, shortTime } from "../times.ts";
import { type AddCommand, addCommand, type Context, type TargetOptions, withJson, withTarget } from "../tree.ts";

const states = ["waiting", "retrying", "retried", "discarded"] as const;

type Parent = Parameters<AddCommand>[0];
type FailedMessage = components["schemas"]["FailedMessage"];
type State = (typeof states)[number];

interface Options extends TargetOptions {
  readonly json?: boolean;
}

interface ListOptions extends Options {
  readonly flow?: string;
  readonly route?: string;
  readonly state?: State;
  readonly since?: string;
  readonly limit?: number;
}

/** Which messages a command is for; without ids the runtime chooses by flow and route. */
interface Selection extends Options {
  readonly flow?: string;
  readonly route?: string;
  readonly all?: number;
  readonly wait?: boolean;
}

export const addFailed: AddCommand = (parent, context) => {
  const command = addCommand(parent, "failed", {
    summary: "lists failed messages that are kept: they can be retried or discarded",
    examples: ["bulkhead failed", "bulkhead failed --flow orders --state waiting"],
  });
  withJson(withTarget(withFlowFilter(command)))
    .addOption(oneOf("--state <state>", "only those that are", states))
    .option(
      "--since <time>",
      "only those that failed after it, such as 15m, 2h or 2026-01-31T12:00:00Z",
      pastTime("--since"),
    )
    .option("--limit <number>", "at most so many", wholeNumber("--limit"))
    .action((options: ListOptions) => list(context, options));
  addShow(command, context);
  addRetry(command, context);
  addDiscard(command, context);
};

async function list({ terminal, connect }: Context, options: ListOptions): Promise<void> {
  const { flow, route, state, since, limit } = options;
  const query = given({ flowId: flow, routeId: route, state, since, limit });
  const api = await connect(options);
  const messages = await orThrow(api.GET("/_api/failed", { params: { query } }));
  if (messages.length === 0) await refuseUnknown(api, options);
  if (options.json === true) return sayJson(terminal, messages);
  sayTable<FailedMessage>(
    terminal,
    messages,
    [
      { title: "ID", text: ({ id }) => id, whole: true },
      { title: "FAILED", text: ({ at }) => shortTime(at) },
      { title: "FLOW", text: ({ flowId }) => flowId, style: () => "bold" },
      { title: "ROUTE", text: ({ routeId }) => routeId },
      { title: "STATE", text: (message) => message.state, style: (message) => stateStyle(message.state) },
      { title: "ATTEMPTS", text: ({ attempts }) => String(attempts), right: true },
      { title: "COUNT", text: ({ count }) => String(count), right: true },
      { title: "SIZE", text: ({ bytes }) => shortBytes(bytes), right: true },
      { title: "ERROR", text: ({ error }) => error?.message ?? "" },
    ],
    "There are no failed messages.",
  );
}

function addShow(parent: Parent, { terminal, connect }: Context): void {
  const command = addCommand(parent, "show <id>", {
    summary: "shows a failed message with its body, redacted; the audit log notes who has read it",
    examples: ["bulkhead failed show mwzdoq7u-a05ec8301c64d13a-1c168adb"],
  });
  withJson(withTarget(command)).action(async (id: string, options: Options) => {
    const api = await connect(options);
    const message = await orThrow(api.GET("/_api/failed/{id}", { params: { path: { id } } }));
    if (options.json === true) sayJson(terminal, message);
    else sayFailed(terminal, message);
  });
}

function addRetry(parent: Parent, { terminal, connect, ending }: Context): void {
  const command = addCommand(parent, "retry [ids...]", {
    summary: "runs failed messages again, in the current revision of their flows",
    details:
      "Names the messages, or the flow whose messages are meant. --wait is for one message: it waits for the run's end.",
    examples: [
      "bulkhead failed retry mwzdoq7u-a05ec8301c64d13a-1c168adb --wait",
      "bulkhead failed retry --flow orders",
      "bulkhead failed retry --all 12",
    ],
  });
  withJson(withTarget(withFlowFilter(command)))
    .option("--all <number>", "all that wait: as many as bulkhead failed --state waiting lists", wholeNumber("--all"))
    .option("--wait", "waits until the run of the one message is over")
    .action(async (ids: readonly string[], options: Selection) => {
      const [id, more] = ids;
      if (options.wait === true && (id === undefined || more !== undefined))
        throw new UsageError("--wait is for one message: name it");
      const selected = selectionOf(ids, options);
      const api = await connect(options);
      if (id !== undefined && more === undefined) {
        const params = { path: { id }, query: { wait: options.wait === true } };
        const answer = await orThrow(api.POST("/_api/failed/{id}/retry", { params }));
        if (options.json === true) sayJson(terminal, answer);
        else terminal.say(`retried: run ${answer.runId}${"status" in answer ? ` ${answer.status}` : ""}`);
        if ("status" in answer && answer.status !== "completed") ending.code = 1;
        return;
      }
      const answer = await orThrow(api.POST("/_api/failed/retry", { body: selected }));
      if (answer.count === 0) await refuseUnknown(api, options);
      if (options.json === true) sayJson(terminal, answer);
      else terminal.say(`begun: ${answer.count} retries, at the pace of their flows`);
    });
}

function addDiscard(parent: Parent, { terminal, connect }: Context): void {
  const command = addCommand(parent, "discard [ids...]", {
    summary: "gives failed messages up: they are removed",
    examples: [
      "bulkhead failed discard mwzdoq7u-a05ec8301c64d13a-1c168adb",
      "bulkhead failed discard --flow orders --route import",
    ],
  });
  withJson(withTarget(withFlowFilter(command)))
    .option("--all <number>", "all that wait: as many as bulkhead failed --state waiting lists", wholeNumber("--all"))
    .action(async (ids: readonly string[], options: Selection) => {
      const selected = selectionOf(ids, options);
      const api = await connect(options);
      const answer = await orThrow(api.POST("/_api/failed/discard", { body: selected }));
      if (answer.count === 0) await refuseUnknown(api, options);
      if (options.json === true) sayJson(terminal, answer);
      else terminal.say(`discarded: ${answer.count}`);
      if (ids.length > answer.count)
        throw new CommandError(`${ids.length - answer.count} of them were not there, or do not wait`);
    });
}

interface Selected {
  readonly ids?: string[];
  readonly flowId?: string;
  readonly routeId?: string;
  readonly all?: true;
  readonly expect?: number;
}

/** Throws UsageError: nothing is chosen by leaving everything out. */
function selectionOf(ids: readonly string[], { flow, route, all }: Selection): Selected {
  const chosen = [ids.length > 0, flow !== undefined || route !== undefined, all !== undefined].filter(Boolean).length;
  if (chosen !== 1)
    throw new UsageError("name the messages, or --flow and --route, or --all with their number: one of these");
  if (ids.length > 0) return { ids: [...ids] };
  if (all !== undefined) return { all: true, expect: all };
  return given({ flowId: flow, routeId: route });
}
