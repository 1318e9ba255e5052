/** One route's steps as a processor: each step bound to its options and wrapped in its channel. */
import type { EndpointModel, RouteModel, StepModel } from "../../shared/flow-model.ts";
import type { Limits } from "../../shared/limits.ts";
import type { StepManifest } from "../../shared/manifest.ts";
import { catalog } from "../catalog.ts";
import { channel } from "../engine/channel.ts";
import { CompileError, compiledAt, type Place } from "../engine/compile-error.ts";
import { type Processor, pipeline } from "../engine/processor.ts";
import type { CompileContext } from "../engine/step.ts";
import { expressionCompiler } from "./compile-expression.ts";

/** What the routes of one flow share while they are compiled. */
export interface FlowParts {
  readonly flowId: string;
  readonly limits: Limits;
  /** Grows by one entry per step, a step before those inside it. */
  readonly steps: StepManifest[];
  /** Set by a step that keeps state between runs. */
  stateful: boolean;
  direct(name: string): { readonly local: boolean; readonly call: Processor };
}

export function compileRoute(route: RouteModel, parts: FlowParts): Processor {
  return compileSteps(route.steps, route.id, parts);
}

function compileSteps(steps: readonly StepModel[], routeId: string, parts: FlowParts): Processor {
  return pipeline(steps.map((step) => compileStep(step, routeId, parts)));
}

function compileStep(step: StepModel, routeId: string, parts: FlowParts): Processor {
  const { id, type, at, options } = step;
  const place: Place = { at, routeId, stepId: id };
  const definition = catalog.steps.get(type);
  if (definition === undefined) throw new CompileError("unknown_step", `unknown step '${type}'`, at, routeId, id);
  const index = parts.steps.push({ id, type, routeId, at }) - 1;
  if (definition.stateful === true) parts.stateful = true;
  const context: CompileContext = {
    flowId: parts.flowId,
    routeId,
    stepId: id,
    stepIndex: index,
    limits: parts.limits,
    ...expressionCompiler(parts.limits, place),
    pipeline: (inner) => compileSteps(inner, routeId, parts),
    producer: (endpoint) => compileProducer(endpoint, index, place, parts),
  };
  const processor = compiledAt(place, "bad_option", () => definition.compile(options as never, context));
  return channel(processor, { index, id, line: at.line });
}

function compileProducer(endpoint: EndpointModel, stepIndex: number, place: Place, parts: FlowParts): Processor {
  const { scheme, uri, options, at } = endpoint;
  const { routeId, stepId } = place;
  const component = catalog.components.get(scheme);
  if (component === undefined)
    throw new CompileError("unknown_component", `unknown component '${scheme}'`, at, routeId, stepId);
  const { producer } = component;
  if (producer === undefined) {
    throw new CompileError("no_producer", `'${scheme}' can only stand in 'from'`, at, routeId, stepId);
  }
  const { flowId, direct } = parts;
  return compiledAt({ at, routeId, stepId }, "bad_endpoint", () =>
    producer(options as never, { flowId, routeId, stepIndex, uri, direct }),
  );
}
