/** Polls of endpoints, which the flow's text or a message names (Camel: PollEnricher, ConsumerCache). */

import type { EndpointModel } from "../../shared/flow-model.ts";
import { catalog } from "../catalog.ts";
import { CompileError, compiledAt, type ModelPlace } from "../engine/compile-error.ts";
import type { ComponentDefinition } from "../engine/component.ts";
import { Exchange } from "../engine/exchange.ts";
import type { Poll, Polled, PolledExchange, Poller, PollerContext } from "../engine/poller.ts";
import type { Processor } from "../engine/processor.ts";
import type { DynamicOptions } from "../engine/step.ts";
import { dynamicEndpoints, namedEndpoint } from "./dynamic-endpoint.ts";
import { markEffect } from "./effects.ts";
import { endpointContext, type FlowParts, type PlacedEndpoint, useNetwork } from "./flow-parts.ts";
import { leavesFlow, markOutbound, sendingTo } from "./outbound.ts";
import { newExchange } from "./source-offer.ts";
import { warnOfPaths } from "./written-endpoint.ts";

/** Adds what surrounds each poll of an endpoint, as around a sending: mocks, figures, the property CamelToEndpoint. */
type Around = (normal: string, written: string, ask: Processor) => Processor;

/** Returns the poll of an endpoint of the flow's text. Throws CompileError. */
export function staticPoll(
  endpoint: EndpointModel,
  stepIndex: number,
  { routeId, stepId }: ModelPlace,
  parts: FlowParts,
  around: Around,
): Poll {
  const { scheme, uri, written = uri, options, at } = endpoint;
  const place = { at, routeId, stepId };
  const component = catalog.components.get(scheme);
  if (component === undefined)
    throw new CompileError("unknown_component", `unknown component '${scheme}'`, at, routeId, stepId);
  if (!parts.endpoints.has(stepIndex)) parts.endpoints.set(stepIndex, uri);
  if (component.stateful === true) parts.stateful = true;
  useNetwork(component, parts);
  if (component.files === true) parts.usesFiles = true;
  if (leavesFlow(component)) markOutbound(parts.steps, stepIndex);
  markEffect(parts.steps, stepIndex, component.pollEffect ?? "writes");
  return compiledAt(place, "bad_endpoint", () => {
    const poller = pollerOf(component, options, contextOf(endpoint, stepIndex, routeId, parts));
    const asking = (ask: Processor): Processor =>
      around(uri, written, parts.counts.calling(uri, stepIndex, sendingTo(component, uri, stepIndex, ask)));
    return pollBy(poller, asking);
  });
}

/** Returns the poll of the endpoint that a text names. Throws CompileError. */
export function fixedPoll(
  { text, at }: { readonly text: string; readonly at: ModelPlace["at"] },
  allowedSchemes: string | undefined,
  stepIndex: number,
  place: ModelPlace,
  parts: FlowParts,
  around: Around,
): Poll {
  const written = text.trim();
  const named = compiledAt({ ...place, at }, "bad_endpoint", () => namedEndpoint(written, parts, allowedSchemes));
  const { component, uri, options, parameters } = named;
  const endpoint: EndpointModel = { scheme: component.scheme, uri, written, options, parameters, at };
  warnOfPaths(stepIndex, parts, { from: { language: "constant", text: written, at } });
  return staticPoll(endpoint, stepIndex, place, parts, around);
}

function exchangeOf(message: Polled["message"], { run, routeId }: Exchange): Exchange {
  if (message instanceof Exchange) return message.copy(run);
  const exchange = newExchange(message, run, run.limits, routeId);
  if (message.unreadable !== undefined) exchange.exception = message.unreadable.error;
  return exchange;
}

/** Returns polls of the endpoints that messages name. */
export function dynamicPolls(
  stepIndex: number,
  routeId: string,
  parts: FlowParts,
  around: Around,
  named: DynamicOptions = {},
): (uri: string) => Poll {
  const polls = dynamicEndpoints(stepIndex, parts, named, ({ component, uri, written, options, parameters }) => {
    const poller = pollerOf(component, options, contextOf({ uri, parameters }, stepIndex, routeId, parts));
    const asking = (ask: Processor): Processor =>
      around(uri, written, parts.counts.callingDynamic(stepIndex, sendingTo(component, uri, stepIndex, ask)));
    return pollBy(poller, asking);
  });
  return (uri) => {
    const poll = polls(uri);
    return async (asker, waitMs) => poll(asker, waitMs);
  };
}

function pollerOf(component: ComponentDefinition, options: object, context: PollerContext): Poller {
  const { scheme, poller } = component;
  if (poller !== undefined) return poller(options as never, context);
  throw new Error(notPolled(scheme));
}

/** Names the components that can be polled. */
export function notPolled(scheme: string): string {
  const known = [...catalog.components.values()].filter(({ poller }) => poller !== undefined);
  const names = known.map((component) => component.scheme).join(", ");
  return `component '${scheme}' cannot be polled; here there are: ${names}`;
}

function contextOf(endpoint: PlacedEndpoint, stepIndex: number, routeId: string, parts: FlowParts): PollerContext {
  const { flowId, egress, steps } = parts;
  const { uri, parameters = [] } = endpoint;
  return {
    ...endpointContext(endpoint, routeId, parts, steps[stepIndex]?.id),
    flowId,
    routeId,
    uri,
    parameters,
    egress,
  };
}

/** One poll that is under way. */
interface Asking {
  readonly waitMs: number;
  /** false: a mock answered in place of the endpoint. */
  reached: boolean;
  answer: PolledExchange | undefined;
}

/**
 * What is around a poll sees a copy of the asking exchange before it, and the polled message in its place afterwards. A
 * mock changes that copy, which is the polled exchange then.
 */
function pollBy(poller: Poller, asking: (ask: Processor) => Processor): Poll {
  const underWay = new WeakMap<Exchange, Asking>();
  const ask = asking(async (question) => {
    const asked = underWay.get(question) as Asking;
    asked.reached = true;
    const polled = await poller.poll(asked.waitMs, question);
    if (polled === undefined) {
      question.message.body = null;
      return;
    }
    const exchange = exchangeOf(polled.message, question);
    asked.answer = { exchange, settle: polled.settle };
    question.message.restore(exchange.message.snapshot());
  });
  return async (asker, waitMs) => {
    const question = asker.copy();
    const asked: Asking = { waitMs, reached: false, answer: undefined };
    underWay.set(question, asked);
    await ask(question);
    return asked.reached ? asked.answer : { exchange: question, settle: undefined };
  };
}
