/** Producers for endpoints whose URI depends on the message (Camel: SendDynamicProcessor, ProducerCache). */

import { catalog } from "../catalog.ts";
import type { ModelPlace } from "../engine/compile-error.ts";
import { formatEndpointUri, parseEndpointUri } from "../engine/endpoint-uri.ts";
import { exceptionMessage, FlowException } from "../engine/exception.ts";
import { NotLoaded, withModules } from "../engine/late-module.ts";
import type { Processor } from "../engine/processor.ts";
import type { DynamicOptions } from "../engine/step.ts";
import { type FlowParts, producerContext, useNetwork } from "./flow-parts.ts";
import { markOutbound, sendingTo } from "./outbound.ts";
import { runtimeOptions } from "./runtime-options.ts";

/** The scheme that a text begins with. */
const literalScheme = /^\s*([A-Za-z][A-Za-z0-9+.-]*)(?:[:?]|\s*$)/;

/**
 * Whether the endpoints may open connections. An expression that does not begin with a scheme may yield any scheme,
 * unless allowedSchemes restricts it.
 */
export function reachesNetwork(options: DynamicOptions): boolean {
  const asked = namedSchemes(options) ?? [...catalog.components.keys()];
  return asked.some((scheme) => catalog.components.get(scheme)?.network !== undefined);
}

/** Whether the text names files. An expression that may yield any URI gets no files. */
export function namesFiles(options: DynamicOptions): boolean {
  return (namedSchemes(options) ?? []).some((scheme) => catalog.components.get(scheme)?.files === true);
}

/**
 * Whether the endpoints may be servers, files or, for `direct:`, other flows. A URI without expressions names the route
 * itself.
 */
export function mayLeaveFlow(options: DynamicOptions): boolean {
  const open = options.from === undefined || !isWhole(options.from);
  return reachesNetwork(options) || namesFiles(options) || (open && namedSchemes(options)?.includes("direct") === true);
}

function isWhole({ language, text }: NonNullable<DynamicOptions["from"]>): boolean {
  return language === "constant" || (language === "simple" && !/[$]\{|[$]simple\{/.test(text));
}

function namedSchemes({ allowedSchemes, from }: DynamicOptions): readonly string[] | undefined {
  return allowedSchemes?.split(",").map((name) => name.trim()) ?? literalSchemes(from);
}

/** Returns the schemes of a text such as `direct:${header.to}` or `direct:a,seda:b`; undefined when a part has none. */
function literalSchemes(from: DynamicOptions["from"]): string[] | undefined {
  if (from === undefined || (from.language !== "simple" && from.language !== "constant")) return undefined;
  const schemes = from.text.split(",").map((part) => literalScheme.exec(part)?.[1]);
  return schemes.every((scheme) => scheme !== undefined) ? schemes : undefined;
}

/** The most producers that one step keeps; the least recently used one is dropped first (Camel: cacheSize 1000). */
const keptProducers = 1000;
const longestUri = 16_384;

/** Each call throws ResolveEndpointFailedException for a text that is not an endpoint. */
export function dynamicProducer(
  stepIndex: number,
  place: ModelPlace,
  parts: FlowParts,
  around: (normal: string, written: string, send: Processor) => Processor,
  options: DynamicOptions = {},
): (uri: string) => Processor {
  const { allowedSchemes, cacheSize = 0 } = options;
  const most = cacheSize === 0 ? keptProducers : Math.min(cacheSize, keptProducers);
  if (reachesNetwork(options)) parts.network = true;
  if (mayLeaveFlow(options)) markOutbound(parts.steps, stepIndex);
  if (namesFiles(options)) {
    parts.usesFiles = true;
    parts.stateful = true;
  }
  const allowed =
    allowedSchemes === undefined ? undefined : new Set(allowedSchemes.split(",").map((name) => name.trim()));
  const kept = new Map<string, Processor>();
  return (written) => {
    const uri = written.trim();
    let producer = kept.get(uri);
    if (producer === undefined) {
      const made = (): Processor => {
        const { normal, send } = make(uri, stepIndex, place, parts, allowed);
        return around(normal, uri, send);
      };
      try {
        producer = made();
      } catch (error) {
        if (!(error instanceof NotLoaded)) throw error;
        return async (exchange) => (await withModules(made))(exchange);
      }
      if (most < 0) return producer;
      if (kept.size >= most) kept.delete(kept.keys().next().value as string);
    } else kept.delete(uri);
    kept.set(uri, producer);
    return producer;
  };
}

function make(
  uri: string,
  stepIndex: number,
  place: ModelPlace,
  parts: FlowParts,
  allowed: ReadonlySet<string> | undefined,
): { readonly normal: string; readonly send: Processor } {
  try {
    if (uri.length > longestUri) throw new Error(`an endpoint's URI has at most ${longestUri} characters`);
    const { scheme, path, query } = parseEndpointUri(uri, (name) => catalog.components.get(name)?.lenient === true);
    if (allowed !== undefined && !allowed.has(scheme)) throw new Error(`allowedSchemes does not name '${scheme}'`);
    const component = catalog.components.get(scheme);
    if (component === undefined) {
      const message = `No endpoint could be found for: ${uri.slice(0, 200)}: there is no component '${scheme}'`;
      throw new FlowException("org.apache.camel.NoSuchEndpointException", message);
    }
    const { producer, path: pathOption } = component;
    if (producer === undefined) throw new Error(`'${scheme}' can only stand in 'from'`);
    if (component.stateful === true) parts.stateful = true;
    if (path !== "" && pathOption === undefined) throw new Error(`'${scheme}' takes nothing after its name`);
    const given = query.map(({ name, value }) => [name, value] as const);
    const texts = path === "" ? given : [[pathOption as string, path] as const, ...given];
    const named = path === "" ? query.find(({ name }) => name === pathOption) : undefined;
    const normal = formatEndpointUri(
      scheme,
      named?.value ?? path,
      query.filter((option) => option !== named),
    );
    useNetwork(component, parts);
    const { options, parameters } = runtimeOptions(component, texts);
    const context = producerContext(normal, stepIndex, place.routeId, parts, parameters);
    const send = producer(options as never, context);
    return { normal, send: sendingTo(component, normal, stepIndex, send) };
  } catch (error) {
    if (error instanceof FlowException || error instanceof NotLoaded) throw error;
    const why = exceptionMessage(error);
    const shown = uri.length > 200 ? `${uri.slice(0, 200)}...` : uri;
    throw new FlowException(
      "org.apache.camel.ResolveEndpointFailedException",
      `Failed to resolve endpoint: ${shown} due to: ${why}`,
    );
  }
}
