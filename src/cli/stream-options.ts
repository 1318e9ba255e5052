/** What the commands that follow a stream of events have in common: which events, and how each is printed. */
import type { Command } from "commander";
import type { BulkheadClient, StreamMessage, StreamOptions } from "../client/index.ts";
import { UsageError } from "./errors.ts";
import { followEvents } from "./follow.ts";
import { type FlowFilter, unknownIn } from "./named-flow.ts";
import { given, wholeNumber, withFlowFilter } from "./options.ts";
import { jsonOf, type Terminal } from "./terminal.ts";
import { pathOf, type TargetOptions, withJson, withTarget } from "./tree.ts";

export interface StreamChoice extends TargetOptions {
  readonly json?: boolean;
  readonly flow?: string;
  readonly route?: string;
  readonly run?: string;
  readonly last?: number;
  readonly follow?: boolean;
}

/** Adds the options of `logs` and `trace`. `events`: what they name what they print. */
export function withStream(command: Command, events: string): Command {
  return withJson(withTarget(withFlowFilter(command)), "prints each event as a line of JSON")
    .option("-f, --follow", "goes on with what comes from now on (this is a stream: without it nothing is shown)")
    .option("--run <id>", `only ${events} of this run`)
    .option("--last <number>", `begins with so many of the last ${events}`, wholeNumber("--last"));
}

/** The query of a stream. Throws UsageError without `--follow`: a stream has no end. */
export function queryOf(command: Command, { flow, route, run, last, follow }: StreamChoice) {
  const path = pathOf(command);
  if (follow !== true) throw new UsageError(`${path} prints what comes from now on: write ${path} --follow`);
  return given({ flowId: flow, routeId: route, runId: run, replay: last === undefined ? undefined : String(last) });
}

/** Prints each event as `line` shows it, or as a line of JSON, until Ctrl-C. Warns when the flow or the route is unknown: it may be deployed later. */
export async function sayEvents<E>(
  terminal: Terminal,
  api: BulkheadClient,
  { json, ...filter }: FlowFilter & { readonly json?: boolean },
  open: (options: StreamOptions) => AsyncIterable<StreamMessage<E>>,
  line: (terminal: Terminal, event: E) => string,
): Promise<void> {
  // When the runtime does not answer, the stream below says so and tries again.
  const unknown = await unknownIn(api, filter).catch(() => undefined);
  if (unknown !== undefined) terminal.complain(`bulkhead: ${unknown}: nothing is shown before it is deployed`);
  await followEvents(terminal, open, (event) => terminal.say(json === true ? jsonOf(event) : line(terminal, event)));
}
