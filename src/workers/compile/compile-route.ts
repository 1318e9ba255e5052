/** Compiles one route's steps to a processor: each step is bound to its options and wrapped in its channel. */

import type { EndpointModel, FormatModel, RouteModel, StepModel } from "../../shared/flow-model.ts";
import type { Limits } from "../../shared/limits.ts";
import { catalog } from "../catalog.ts";
import { channel } from "../engine/channel.ts";
import { CompileError, compiledAt, type ModelPlace } from "../engine/compile-error.ts";
import { effectOf } from "../engine/component.ts";
import { camelUri } from "../engine/endpoint-uri.ts";
import type { ErrorHandling } from "../engine/error-clauses.ts";
import { guarded } from "../engine/error-handling.ts";
import type { Translate } from "../engine/format.ts";
import { type Processor, pipeline } from "../engine/processor.ts";
import type { CompileContext, DynamicOptions } from "../engine/step.ts";
import { compileErrors, compileProcessor } from "./compile-errors.ts";
import { expressionCompiler } from "./compile-expression.ts";
import { withCompletions } from "./completions.ts";
import { dynamicEndpoints } from "./dynamic-endpoint.ts";
import { hasNoEffect, markEffect } from "./effects.ts";
import { type FlowParts, findBean, producerContext, useNetwork } from "./flow-parts.ts";
import { compileIntercepts, type Interception } from "./intercepts.ts";
import { handingOver, leavesFlow, markOutbound, sendingTo, touching } from "./outbound.ts";
import { dynamicPolls, fixedPoll, staticPoll } from "./polls.ts";

/** The surroundings of a step that is compiled: its route, its error handling, its wrappers. */
interface Scope {
  readonly routeId: string;
  readonly errors: ErrorHandling | undefined;
  readonly around: Interception | undefined;
  /** true: what follows has no effect, and nothing tries these steps again. */
  readonly isLast: boolean;
}

export function compileRoute(route: RouteModel, parts: FlowParts): Processor {
  const { id: routeId } = route;
  const plain: Scope = { routeId, errors: undefined, around: undefined, isLast: false };
  const steps = (list: readonly StepModel[]): Processor => compileSteps(list, plain, parts);
  const producer = (endpoint: EndpointModel, place: ModelPlace): Processor =>
    compileProducer(endpoint, -1, place, plain, parts);
  const errors = parts.attempt(() => compileErrors(route, parts, steps, producer), undefined);
  const around =
    route.intercepts === undefined
      ? undefined
      : parts.attempt(() => compileIntercepts(route, parts, { steps, producer }), undefined);
  const hasSource = catalog.components.get(route.from.endpoint.scheme)?.source !== undefined;
  const isLast = hasSource && around === undefined && route.onCompletions === undefined && !triesAgain(errors);
  const scope: Scope = { routeId, errors, around, isLast };
  const own = compileSteps(route.steps, scope, parts);
  const processor = hasSource ? unlessFailed(own, errors) : own;
  const begun = around === undefined ? processor : around.from(processor);
  return withCompletions(route, begun, parts, (list) => compileSteps(list, { ...plain, errors }, parts));
}

function compileSteps(steps: readonly StepModel[], scope: Scope, parts: FlowParts): Processor {
  const last = steps.findLastIndex((step) => !hasNoEffect(step));
  return pipeline(
    steps.map((step, index) => {
      const isLast = scope.isLast && index === last;
      return compileStep(step, isLast === scope.isLast ? scope : { ...scope, isLast }, parts);
    }),
  );
}

function compileStep(step: StepModel, scope: Scope, parts: FlowParts): Processor {
  const { id, type, at, options } = step;
  const { routeId, errors } = scope;
  const place: ModelPlace = { at, routeId, stepId: id };
  const innerScope = { ...scope, isLast: scope.isLast && branching.has(type) };
  const definition = catalog.steps.get(type);
  if (definition === undefined) throw new CompileError("unknown_step", `unknown step '${type}'`, at, routeId, id);
  const receivesVariable = (options as { readonly variableReceive?: unknown }).variableReceive !== undefined;
  const index = parts.steps.push({ id, type, routeId, at, ...(receivesVariable && { receivesVariable }) }) - 1;
  if (definition.stateful === true) parts.stateful = true;
  const context: CompileContext = {
    flowId: parts.flowId,
    routeId,
    stepId: id,
    stepIndex: index,
    line: at.line,
    ...parts.scope(routeId),
    ...expressionCompiler(parts, place),
    ...formatCompiler(parts.limits, place),
    pipeline: (inner, how) =>
      compileSteps(inner, { ...innerScope, ...(how !== undefined && { errors: undefined }) }, parts),
    guard: (processor) => (errors === undefined ? processor : guarded(processor, errors, index)),
    entry(processor) {
      parts.entries.set(id, processor);
      return processor;
    },
    producer: (endpoint) => compileProducer(endpoint, index, place, scope, parts),
    processor: (model) =>
      compileProcessor(model, routeId, parts, (endpoint, at) => compileProducer(endpoint, index, at, scope, parts)),
    dynamicProducer: (dynamic) => dynamicProducers(index, scope, parts, dynamic),
    // Intercepts of sendings leave polls alone, as in Camel.
    poll: (endpoint) => staticPoll(endpoint, index, place, parts, noting),
    fixedPoll: (uri, allowed) => fixedPoll(uri, allowed, index, place, parts, noting),
    dynamicPoll: (dynamic) => dynamicPolls(index, routeId, parts, noting, dynamic),
    bean: (reference) => findBean(reference, parts.beans),
    useMapping: (kind, mapping) => parts.useMapping(kind, mapping, routeId, id),
    useVariable: parts.useVariable,
    state: (need) => parts.useState(need, routeId, id),
    warn: (code, message) => parts.warn(code, message, place),
  };
  const compile = (): Processor => definition.compile(options as never, context);
  const processor = parts.attempt(
    () => compiledAt(place, "bad_option", compile),
    () => {},
  );
  const own = channel(definition.stateful === true ? touching(processor) : processor, { index, id, line: at.line });
  const channelled = scope.around === undefined ? own : scope.around.step(own, id);
  return errors === undefined || definition.ownErrors === true ? channelled : guarded(channelled, errors, index);
}

function compileProducer(
  endpoint: EndpointModel,
  stepIndex: number,
  place: ModelPlace,
  scope: Scope,
  parts: FlowParts,
): Processor {
  const { scheme, uri, written = uri, options, at } = endpoint;
  const { routeId, stepId } = place;
  const component = catalog.components.get(scheme);
  if (component === undefined)
    throw new CompileError("unknown_component", `unknown component '${scheme}'`, at, routeId, stepId);
  const { producer } = component;
  if (producer === undefined) {
    throw new CompileError("no_producer", `'${scheme}' can only stand in 'from'`, at, routeId, stepId);
  }
  if (stepIndex >= 0 && !parts.endpoints.has(stepIndex)) parts.endpoints.set(stepIndex, uri);
  if (component.stateful === true) parts.stateful = true;
  useNetwork(component, parts);
  if (component.files === true) parts.usesFiles = true;
  if (leavesFlow(component)) markOutbound(parts.steps, stepIndex);
  markEffect(parts.steps, stepIndex, effectOf(component, options));
  const send = compiledAt({ at, routeId, stepId }, "bad_endpoint", () =>
    producer(options as never, producerContext(endpoint, stepIndex, routeId, parts)),
  );
  const counted = parts.counts.calling(uri, stepIndex, sendingTo(component, uri, stepIndex, send));
  // What another route of the flow does is not the last of the run before it has ended.
  const handsOver = scope.isLast && leavesFlow(component) && parts.steps[stepIndex]?.type === "to";
  return sending([uri, written], handsOver ? handingOver(counted) : counted, scope);
}

function dynamicProducers(
  stepIndex: number,
  scope: Scope,
  parts: FlowParts,
  dynamic: DynamicOptions = {},
): (uri: string) => Processor {
  return dynamicEndpoints(stepIndex, parts, dynamic, ({ component, uri, written, options, parameters }) => {
    if (component.producer === undefined) throw new Error(`'${component.scheme}' can only stand in 'from'`);
    const context = producerContext({ uri, parameters }, stepIndex, scope.routeId, parts);
    const send = sendingTo(component, uri, stepIndex, component.producer(options as never, context));
    return sending([uri, written], parts.counts.callingDynamic(stepIndex, send), scope);
  });
}

/** Wraps the sending to an endpoint: records it on the exchange, and adds intercepts before it or in its place. */
function sending(
  [uri, written]: readonly [normal: string, written: string],
  send: Processor,
  { around }: Scope,
): Processor {
  const recorded = noting(uri, written, send);
  return around === undefined ? recorded : around.send(uri, recorded);
}

function noting(normal: string, written: string, send: Processor): Processor {
  const uri = camelUri(normal);
  const uris = [normal, written];
  return (exchange) => {
    exchange.sentTo(uri);
    const { mocks } = exchange.run;
    return mocks === undefined ? send(exchange) : mocks.send(exchange, uris, send);
  };
}

/**
 * Both throw CompileError `bad_format` for an unknown format, one that does not support the direction, and invalid
 * options.
 */
export function formatCompiler(
  limits: Limits,
  { routeId, stepId }: ModelPlace,
): Pick<CompileContext, "marshaller" | "unmarshaller"> {
  const bound = (side: "marshal" | "unmarshal", { name, options, at }: FormatModel): Translate =>
    compiledAt({ at, routeId, stepId }, "bad_format", () => {
      const definition = catalog.formats.get(name);
      if (definition === undefined) throw new Error(`unknown data format '${name}'`);
      const translate = definition[side]?.(options, limits);
      if (translate === undefined) throw new Error(`data format '${name}' cannot ${side}`);
      return translate;
    });
  return { marshaller: (format) => bound("marshal", format), unmarshaller: (format) => bound("unmarshal", format) };
}

/** A message whose source has failed goes to the route's error handler in place of its steps. */
function unlessFailed(steps: Processor, errors: ErrorHandling | undefined): Processor {
  const fail: Processor = ({ sourceFailure }) => {
    throw sourceFailure?.error;
  };
  const failing = errors === undefined ? fail : guarded(fail, withoutRetries(errors), -1);
  return (exchange) => (exchange.sourceFailure === undefined ? steps(exchange) : failing(exchange));
}

/** There is nothing to try again. */
function withoutRetries(errors: ErrorHandling): ErrorHandling {
  const once = <T extends { readonly maximumRedeliveries: number }>(policy: T): T => ({
    ...policy,
    maximumRedeliveries: 0,
  });
  return {
    ...errors,
    policy: once(errors.policy),
    clauses: errors.clauses.map((clause) => ({ ...clause, policy: once(clause.policy), retryWhile: undefined })),
  };
}

/** Steps that run one list of steps, once, and have no effect themselves. */
const branching: ReadonlySet<string> = new Set(["choice", "filter", "pipeline", "step"]);

function triesAgain(errors: ErrorHandling | undefined): boolean {
  if (errors === undefined) return false;
  return (
    [errors.policy, ...errors.clauses.map(({ policy }) => policy)].some(
      ({ maximumRedeliveries }) => maximumRedeliveries !== 0,
    ) || errors.clauses.some(({ retryWhile }) => retryWhile !== undefined)
  );
}
