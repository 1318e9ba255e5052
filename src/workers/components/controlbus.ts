/**
 * The `controlbus` component (Camel: ControlBusProducer 4.22) for the routes of its own flow. Control carries out the
 * action; as in Camel, a failure is only logged.
 */
import { type Level, levels, routeActions } from "../../shared/protocol.ts";
import { defineComponent, type ProducerContext } from "../engine/component.ts";
import { exceptionMessage, FlowException } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import { unlessAborted } from "../engine/waiting.ts";

const logger = "org.apache.camel.component.controlbus.ControlBusProducer";
const noLanguage =
  "write controlbus:route; what controlbus:language would evaluate is not taken from messages: write the expression in a setBody step";
const noStats = "stats is not here: GET /_api/metrics has the figures of flows, GET /_api/runs those of runs";
const noFail = "fail is not here: write action=stop, and throwException in the route that fails";
const mostDelayMs = 2 ** 31 - 1;

interface Task {
  readonly action: (typeof routeActions)[number];
  readonly async: boolean;
  readonly level: Level;
  readonly delayMs: number;
}

export const controlbus = defineComponent({
  scheme: "controlbus",
  docs: "Starts, stops, suspends, resumes or restarts a route of the same flow until its next deployment, or returns its status; runs under way finish, and a stop does not wait for them.",
  path: "command",
  options: (z, { text, flag, integer, oneOf, refused }) =>
    z.object({
      command: text("What is commanded: `route`.").refine((command) => command === "route", noLanguage),
      routeId: text("The id of a route of the same flow; `current` is the one that the message is in.").optional(),
      action: oneOf(
        [...routeActions, "stats", "fail"],
        "What is done with the route; `status` puts its state into the body.",
      )
        .refine((action) => action !== "stats", noStats)
        .refine((action) => action !== "fail", noFail)
        .optional(),
      async: flag("Goes on at once; without this when it is done. `status` then leaves the body as it is.").default(
        false,
      ),
      loggingLevel: oneOf(levels, "The level at which the outcome is logged.").default("INFO"),
      restartDelay: integer("Milliseconds between stop and start of a `restart`.")
        .refine((ms) => ms <= mostDelayMs, `restartDelay is at most ${mostDelayMs} ms`)
        .default(1000),
      lazyStartProducer: refused("producers are made when the flow is deployed: leave it out", "false"),
    }),
  example: "to: { uri: controlbus:route?routeId=current&action=status }",
  effect: ({ action }) => (action === "status" ? "reads" : "writes"),
  producer({ routeId, action: asked, async, loggingLevel: level, restartDelay }, context) {
    const action = routeActions.find((known) => known === asked);
    if (routeId === undefined) throw new Error("it needs 'routeId': the id of a route of this flow, or current");
    if (action === undefined) throw new Error(`it needs 'action': one of ${routeActions.join(", ")}`);
    if (routeId !== "current") indexOf(routeId, context);
    const task: Task = { action, async, level, delayMs: Math.max(0, restartDelay) };
    return (exchange) => {
      const done = carryOut(task, routeId === "current" ? exchange.routeId : routeId, exchange, context);
      if (!async) return done;
    };
  },
});

/** Rejects only when the run is cancelled. An asynchronous task is not awaited. */
async function carryOut(task: Task, routeId: string, exchange: Exchange, context: ProducerContext): Promise<void> {
  const { action, async, level, delayMs } = task;
  const { run } = exchange;
  const report = (message: string): void => {
    if (!run.logs(level)) return;
    if (async) context.log(level, logger, message);
    else run.log(context.stepIndex, level, logger, message);
  };
  const title = `[${action} route ${routeId}]`;
  try {
    const index = indexOf(routeId, context);
    if (run.sink.route === undefined) throw new Error("nothing here can start and stop routes");
    if (action !== "status") run.touched();
    const answer = run.sink.route(run.slot, index, action, delayMs);
    const state = await (async ? answer : unlessAborted(answer, run.signal));
    if (action === "status" && !async) exchange.message.body = state;
    report(`ControlBus task done ${title} with result -> ${action === "status" ? state : "void"}`);
  } catch (error) {
    if (!async && run.cancelled) throw error;
    report(
      `Error executing ControlBus task ${title}. This exception will be ignored. Caused by: ${exceptionMessage(error)}`,
    );
  }
}

/** Throws for a route that does not exist in the flow. */
function indexOf(routeId: string, { flowId, routes }: ProducerContext): number {
  const index = routes.indexOf(routeId);
  if (index >= 0) return index;
  const message = `flow '${flowId}' has no route '${routeId.slice(0, 100)}': a flow controls its own routes only; write one of their ids, or current`;
  throw new FlowException("java.lang.IllegalArgumentException", message);
}
