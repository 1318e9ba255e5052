/** Compiles a route's error handler and its clauses. Their own steps run without an error handler. */
import type { EndpointModel, ErrorHooksModel, ProcessorModel, RouteModel, StepModel } from "../../shared/flow-model.ts";
import { processorOf } from "../engine/bean-processor.ts";
import { compiledAt, type ModelPlace } from "../engine/compile-error.ts";
import type { ErrorClause, ErrorHandling, ErrorHooks } from "../engine/error-clauses.ts";
import { withoutReplaced } from "../engine/exception-match.ts";
import type { Processor } from "../engine/processor.ts";
import { noRedelivery, redeliveryPolicy } from "../engine/redelivery.ts";
import { expressionCompiler } from "./compile-expression.ts";
import { type FlowParts, findBean } from "./flow-parts.ts";

export type StepsCompiler = (steps: readonly StepModel[]) => Processor;

export type EndpointCompiler = (endpoint: EndpointModel, place: ModelPlace) => Processor;

/** Returns undefined for a route whose failures reach the caller unchanged. */
export function compileErrors(
  { id: routeId, errors }: RouteModel,
  parts: FlowParts,
  compileSteps: StepsCompiler,
  producer: EndpointCompiler,
): ErrorHandling | undefined {
  if (errors === undefined || errors.handler.kind === "none") return undefined;
  const { handler } = errors;
  const place: ModelPlace = { at: handler.at, routeId, stepId: null };
  const policy = compiledAt(place, "bad_option", () => redeliveryPolicy(handler.redelivery, noRedelivery));
  const { deadLetter } = handler;
  const route = parts.routeIndex(routeId);
  const hooksOf = ({ occurred, redelivery, prepare }: ErrorHooksModel): ErrorHooks => {
    const made = (model: ProcessorModel | undefined): Processor | undefined =>
      model === undefined ? undefined : compileProcessor(model, routeId, parts, producer);
    return { occurred: made(occurred), redelivery: made(redelivery), prepare: made(prepare) };
  };
  return {
    policy,
    hooks: hooksOf(handler.hooks),
    count: parts.scope(routeId).count,
    retried: (step) => parts.counts.retried(route, step),
    clauses: withoutReplaced(
      errors.clauses.map((clause): ErrorClause => {
        const at: ModelPlace = { at: clause.at, routeId, stepId: clause.id };
        const compiler = expressionCompiler(parts, at);
        const optional = <M, T>(model: M | undefined, make: (model: M) => T) =>
          model === undefined ? undefined : make(model);
        // In Camel a clause with steps and without a policy of its own does not retry (OnExceptionReifier).
        const inherited = clause.steps.length === 0 ? policy : { ...policy, maximumRedeliveries: 0 };
        return {
          exceptions: clause.exceptions,
          onWhen: optional(clause.onWhen, compiler.predicate),
          handled: optional(clause.handled, compiler.predicate),
          continued: optional(clause.continued, compiler.predicate),
          retryWhile: optional(clause.retryWhile, compiler.predicate),
          policy: compiledAt(at, "bad_option", () =>
            redeliveryPolicy(clause.redelivery, clause.redelivery === undefined ? inherited : policy),
          ),
          useOriginalMessage: clause.useOriginalMessage,
          useOriginalBody: clause.useOriginalBody,
          hooks: hooksOf(clause.hooks),
          steps: clause.steps.length === 0 ? undefined : compileSteps(clause.steps),
          line: clause.at.line,
        };
      }),
    ),
    useOriginalMessage: handler.useOriginalMessage,
    useOriginalBody: handler.useOriginalBody,
    deadLetter:
      deadLetter === undefined
        ? undefined
        : {
            send: producer(deadLetter, { at: deadLetter.at, routeId, stepId: null }),
            uri: deadLetter.uri,
            handlesNewExceptions: handler.handlesNewExceptions,
            line: handler.at.line,
          },
  };
}

/** Throws CompileError for a bean that is no processor. */
export function compileProcessor(
  model: ProcessorModel,
  routeId: string,
  parts: FlowParts,
  producer: EndpointCompiler,
): Processor {
  if ("endpoint" in model) return producer(model.endpoint, { at: model.endpoint.at, routeId, stepId: null });
  const place: ModelPlace = { at: model.at, routeId, stepId: null };
  return compiledAt(place, "bad_option", () => processorOf(model.bean, findBean(model.bean, parts.beans)));
}

/** Whether a clause or a handler reads the message from the beginning of the unit of work. */
export function wantsOriginal({ errors, onCompletions = [] }: RouteModel): boolean {
  if (onCompletions.some(({ useOriginalMessage }) => useOriginalMessage)) return true;
  if (errors === undefined) return false;
  return [errors.handler, ...errors.clauses].some(
    ({ useOriginalMessage, useOriginalBody }) => useOriginalMessage || useOriginalBody,
  );
}
