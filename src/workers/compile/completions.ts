/** onCompletion: steps that run at the end of an exchange (Camel: OnCompletionProcessor). */
import type { OnCompletionModel, RouteModel, StepModel } from "../../shared/flow-model.ts";
import type { ModelPlace } from "../engine/compile-error.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Predicate, Processor } from "../engine/processor.ts";
import { setProperty } from "../engine/variables.ts";
import { expressionCompiler } from "./compile-expression.ts";
import type { FlowParts } from "./flow-parts.ts";

interface Completion {
  readonly model: OnCompletionModel;
  readonly applies: Predicate | undefined;
  readonly steps: Processor;
}

/**
 * Returns the route followed by its completions. Those of a called route run at the end of the whole exchange, like its
 * caller's.
 */
export function withCompletions(
  { id: routeId, onCompletions = [] }: RouteModel,
  route: Processor,
  parts: FlowParts,
  compileSteps: (steps: readonly StepModel[]) => Processor,
): Processor {
  if (onCompletions.length === 0) return route;
  const scope = parts.scope(routeId);
  const all = onCompletions.map((model): Completion => {
    const place: ModelPlace = { at: model.at, routeId, stepId: model.id };
    const { onWhen } = model;
    const steps = compileSteps(model.steps);
    parts.entries.set(model.id, steps);
    return {
      model,
      applies: onWhen === undefined ? undefined : expressionCompiler(parts, place).predicate(onWhen),
      steps,
    };
  });
  const before = all.filter(({ model }) => model.beforeReply);
  // In Camel the last one begins.
  const after = all.filter(({ model }) => !model.beforeReply).reverse();
  return async (exchange) => {
    let failure: { readonly error: unknown } | undefined;
    exchange.onDone((failed, error) => {
      for (const completion of after) {
        const over = wanted(completion, exchange, failed ? { error } : undefined);
        if (over === undefined) continue;
        scope
          .announce({
            cause: "onCompletion",
            uri: `onCompletion:${completion.model.id}`,
            parent: exchange,
            exchange: (run) => over.copy(run),
            process: completion.steps,
            entry: completion.model.id,
          })
          .catch(() => {}); // The record of its run has the failure.
      }
    });
    try {
      await route(exchange);
    } catch (error) {
      failure = { error };
    }
    for (const completion of before) await complete(completion, exchange, failure);
    if (failure !== undefined) throw failure.error;
  };
}

/** Runs the steps on the exchange itself, whose failure is thrown after them. */
async function complete(
  completion: Completion,
  exchange: Exchange,
  failure: { readonly error: unknown } | undefined,
): Promise<void> {
  const { stopped } = exchange;
  if (wanted(completion, exchange, failure) === undefined) return;
  exchange.stopped = false;
  if (completion.model.useOriginalMessage) restoreOriginal(exchange, exchange);
  setProperty(exchange, "CamelOnCompletion", true);
  if (failure !== undefined) setProperty(exchange, "CamelExceptionCaught", failure.error);
  try {
    await completion.steps(exchange);
  } finally {
    exchange.stopped = stopped;
    setProperty(exchange, "CamelOnCompletion", null);
  }
}

/** Gives the exchange the message from the beginning of the unit of work of `of`. */
function restoreOriginal({ message }: Exchange, of: Exchange): void {
  if (of.original !== undefined) message.restore(of.original.snapshot());
}

/** Returns a copy of the exchange for the steps; undefined if they do not apply to this outcome. */
function wanted(
  { model, applies }: Completion,
  exchange: Exchange,
  failure: { readonly error: unknown } | undefined,
): Exchange | undefined {
  if (model.on === (failure === undefined ? "failure" : "complete")) return undefined;
  const copy = exchange.copyApart();
  if (failure !== undefined) setProperty(copy, "CamelExceptionCaught", failure.error);
  if (model.useOriginalMessage) restoreOriginal(copy, exchange);
  setProperty(copy, "CamelOnCompletion", true);
  return applies?.(copy) === false ? undefined : copy;
}
