/** The state that the routes of one flow share during compilation, and what its endpoints and steps are given of it. */

import type { Position } from "../../shared/diagnostic.ts";
import type { Egress } from "../../shared/egress.ts";
import type { BeanModel, EndpointModel } from "../../shared/flow-model.ts";
import type { StepManifest } from "../../shared/manifest.ts";
import type { BeanReference } from "../engine/bean.ts";
import type { Attempt, ModelPlace } from "../engine/compile-error.ts";
import type { ComponentDefinition, ProducerContext } from "../engine/component.ts";
import type { Connection, ConnectionNeed } from "../engine/connections/connection.ts";
import type { EndpointContext } from "../engine/endpoint-context.ts";
import type { FlowScope } from "../engine/flow-scope.ts";
import type { StateNeed, StatePort } from "../engine/flow-state.ts";
import type { Processor } from "../engine/processor.ts";
import { type ExpressionParts, expressionCompiler } from "./compile-expression.ts";
import type { FlowCounts } from "./flow-counts.ts";
import { callingOut, markOutbound } from "./outbound.ts";

export interface FlowParts extends ExpressionParts {
  readonly counts: FlowCounts;
  readonly flowId: string;
  /** Grows by one entry per step, a step before those inside it. */
  readonly steps: StepManifest[];
  /** By step: the endpoint that it sends to, in normal form, if the flow's text names it. */
  readonly endpoints: Map<number, string>;
  /** Set by a step that keeps state between runs, and by a variable that they share. */
  stateful: boolean;
  /** Set by an endpoint that may open connections. */
  network: boolean;
  /** Schemes of the endpoints that open connections; endpoints that messages name are added later. */
  readonly schemes: Set<string>;
  /** The addresses that may be called; undefined when the flow is only checked or its thread has no network access. */
  readonly egress: Egress | undefined;
  /** Set by an endpoint that reads or writes files. */
  usesFiles: boolean;
  /** The flow's own directory; undefined in threads without one. */
  readonly files: string | undefined;
  /** What announced runs begin with, by the id of the step or the completion that announces them. */
  readonly entries: Map<string, Processor>;
  readonly beans: ReadonlyMap<string, BeanModel>;
  /** Ids of all routes, in the manifest's order. */
  readonly routes: readonly string[];
  /** Returns the route's index among them. */
  routeIndex(routeId: string): number;
  /** Returns the services of the flow's thread for a route. */
  scope(routeId: string): FlowScope;
  direct(name: string): { readonly local: boolean; readonly call: Processor };
  /** Declares a repository of the state store. `stepId` "": of the route's `from`. */
  useState(need: StateNeed, routeId: string, stepId: string): StatePort;
  useConnection(need: ConnectionNeed, routeId: string, stepId: string): Connection<never>;
  warn(code: string, message: string, place: ModelPlace): void;
  readonly attempt: Attempt;
}

/** Records that the flow has an endpoint of this component. */
export function useNetwork({ scheme, network }: ComponentDefinition, parts: FlowParts): void {
  if (network === undefined) return;
  parts.network = true;
  parts.schemes.add(scheme);
}

/**
 * Finds `#name`, `name` or `#bean:name` among the flow's beans; `#class:org.acme.Name` or `#type:...` is a bean without
 * properties.
 */
export function findBean(reference: string, beans: ReadonlyMap<string, BeanModel>): BeanReference | undefined {
  const text = reference.trim().replace(/^#/, "");
  const inline = /^(?:class|type):\s*([\w.$]+)\s*(?:\(\s*\))?$/.exec(text)?.[1];
  if (inline !== undefined) return { type: inline, properties: {} };
  return beans.get(text.replace(/^bean:/, ""));
}

const nowhere: Position = { line: 1, column: 1, endLine: 1, endColumn: 1 };

/** An endpoint of the flow's text, or one that a message names: such a one has no place. */
export type PlacedEndpoint = Pick<EndpointModel, "uri" | "parameters" | "texts"> & { readonly at?: Position };

/** Returns the context of a producer, whose endpoint is known at compile time or depends on the message. */
export function producerContext(
  endpoint: PlacedEndpoint,
  stepIndex: number,
  routeId: string,
  parts: FlowParts,
): ProducerContext {
  const { flowId, egress, routes, direct, steps } = parts;
  const { uri, parameters = [] } = endpoint;
  const own = endpointContext(endpoint, routeId, parts, steps[stepIndex]?.id);
  const called: ProducerContext["direct"] = (name) => {
    const target = direct(name);
    if (target.local) return target;
    markOutbound(steps, stepIndex);
    return { ...target, call: callingOut(`direct:${name}`, stepIndex, target.call) };
  };
  return { ...own, flowId, routeId, stepIndex, uri, parameters, egress, routes, direct: called };
}

/** Returns the context of both ends of an endpoint. */
export function endpointContext(
  { at = nowhere, texts = [] }: Pick<PlacedEndpoint, "at" | "texts">,
  routeId: string,
  parts: FlowParts,
  stepId = "",
): EndpointContext {
  const { text, predicate, expression } = expressionCompiler(parts, { at, routeId, stepId });
  // A component may hand over a part of an option, or more than it.
  const placeOf = (part: string): Position =>
    (texts.find(([whole]) => whole === part) ??
      texts.find(([whole]) => whole.includes(part) || part.includes(whole)))?.[1] ?? at;
  return {
    ...parts.scope(routeId),
    template: (template) => text({ language: "simple", text: template, options: {}, at: placeOf(template) }),
    condition: (condition) => predicate({ language: "simple", text: condition, options: {}, at: placeOf(condition) }),
    expression: (language, source) => expression({ language, text: source, options: {}, at: placeOf(source) }),
    files: parts.files,
    useMapping: (kind, id) => parts.useMapping(kind, id, routeId, stepId),
    bean: (reference) => findBean(reference, parts.beans),
    state: (need) => parts.useState(need, routeId, stepId),
    // Only the component knows what its drivers open.
    connection: (need) => parts.useConnection(need, routeId, stepId) as Connection<unknown> as never,
    warn: (code, message) => parts.warn(code, message, { at, routeId, stepId: stepId || null }),
  };
}
