/**
 * Adds the steps of intercepts before steps, before routes, and before or in place of endpoints (Camel:
 * intercept.adoc).
 */
import type { InterceptModel, RouteModel, StepModel } from "../../shared/flow-model.ts";
import { compiledAt, type ModelPlace } from "../engine/compile-error.ts";
import { camelUri } from "../engine/endpoint-uri.ts";
import { namePattern } from "../engine/name-pattern.ts";
import type { Predicate, Processor } from "../engine/processor.ts";
import { expressionCompiler } from "./compile-expression.ts";
import type { FlowParts } from "./flow-parts.ts";

export interface Interception {
  /** Wraps each step of the route. */
  step(processor: Processor, stepId: string): Processor;
  /** Wraps the route. */
  from(processor: Processor): Processor;
  /** Wraps the sending to an endpoint. */
  send(uri: string, processor: Processor): Processor;
}

export interface InterceptCompilers {
  steps(steps: readonly StepModel[]): Processor;
  producer(endpoint: NonNullable<InterceptModel["after"]>, place: ModelPlace): Processor;
}

interface Intercept {
  readonly model: InterceptModel;
  readonly matches: (uri: string) => boolean;
  readonly applies: Predicate | undefined;
  readonly steps: Processor;
  readonly after: Processor | undefined;
}

export function compileIntercepts(
  { id: routeId, from, intercepts = [] }: RouteModel,
  parts: FlowParts,
  compilers: InterceptCompilers,
): Interception {
  const all = intercepts.map((model): Intercept => {
    const place: ModelPlace = { at: model.at, routeId, stepId: model.id };
    const { onWhen, after, uri } = model;
    return {
      model,
      matches: uri === undefined ? () => true : compiledAt(place, "bad_option", () => endpointPattern(uri)),
      applies: onWhen === undefined ? undefined : expressionCompiler(parts, place).predicate(onWhen),
      steps: compilers.steps(model.steps),
      after: after === undefined ? undefined : compilers.producer(after, place),
    };
  });
  const of = (kind: InterceptModel["kind"]): Intercept[] => all.filter(({ model }) => model.kind === kind);
  const beforeSteps = of("step");
  const beforeRoute = of("from").filter(({ matches }) => matches(from.endpoint.uri));
  const atEndpoints = of("send");
  return {
    step: (processor, stepId) =>
      beforeSteps.reduceRight(
        (next, intercept) => around(intercept, next, { CamelInterceptedNodeId: stepId }),
        processor,
      ),
    from: (processor) =>
      beforeRoute.reduceRight(
        (next, intercept) => around(intercept, next, { CamelInterceptedEndpoint: camelUri(from.endpoint.uri) }),
        processor,
      ),
    send(uri, processor) {
      const first = atEndpoints.find(({ matches }) => matches(uri));
      return first === undefined ? processor : around(first, processor, { CamelInterceptedEndpoint: camelUri(uri) });
    },
  };
}

/**
 * Runs the intercepting steps, then the intercepted processor unless the exchange was stopped or the processor is
 * skipped, then the `after` endpoint.
 */
function around(
  { model, applies, steps, after }: Intercept,
  intercepted: Processor,
  properties: Readonly<Record<string, string>>,
): Processor {
  const own = model.skip ? undefined : intercepted;
  return async (exchange) => {
    if (applies !== undefined && !applies(exchange)) return intercepted(exchange);
    for (const [name, value] of Object.entries(properties)) exchange.properties.set(name, value);
    await steps(exchange);
    if (exchange.stopped) return;
    if (own !== undefined) await own(exchange);
    if (after !== undefined && own !== undefined && !exchange.stopped) await after(exchange);
  };
}

/**
 * Camel: EndpointHelper.matchEndpoint: the URI itself, `prefix*`, or a regular expression, with or without `//` after
 * the scheme.
 */
function endpointPattern(pattern: string): (uri: string) => boolean {
  const matches = namePattern(pattern);
  return (uri) =>
    [uri, camelUri(uri), uri.split("?")[0] as string, camelUri(uri).split("?")[0] as string].some(matches);
}
