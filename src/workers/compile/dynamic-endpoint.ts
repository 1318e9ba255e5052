/**
 * Endpoints whose URI depends on the message, for steps that send to them or poll them (Camel: SendDynamicProcessor,
 * ProducerCache, ConsumerCache).
 */

import { catalog } from "../catalog.ts";
import type { ComponentDefinition } from "../engine/component.ts";
import { connectionOption } from "../engine/connection-option.ts";
import { formatEndpointUri, parseEndpointUri } from "../engine/endpoint-uri.ts";
import { exceptionMessage, FlowException } from "../engine/exception.ts";
import { NotLoaded, withModules } from "../engine/late-module.ts";
import type { DynamicOptions } from "../engine/step.ts";
import { declareConnections } from "./dynamic-connections.ts";
import { effectOfAny, markEffect } from "./effects.ts";
import { type FlowParts, useNetwork } from "./flow-parts.ts";
import { markOutbound } from "./outbound.ts";
import { type RuntimeOptions, runtimeOptions } from "./runtime-options.ts";
import { literalScheme, refuseUnbounded, warnOfPaths } from "./written-endpoint.ts";

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

function namedSchemes({ allowedSchemes, from, several }: DynamicOptions): readonly string[] | undefined {
  return allowedSchemes === undefined ? literalSchemes(from, several === true) : schemesOf(allowedSchemes);
}

function schemesOf(allowedSchemes: string): readonly string[] {
  return allowedSchemes.split(",").map((name) => name.trim());
}

/** Returns the schemes of a text such as `direct:${header.to}` or `direct:a,seda:b`; undefined when a part has none. */
function literalSchemes(from: DynamicOptions["from"], several: boolean): string[] | undefined {
  if (from === undefined || (from.language !== "simple" && from.language !== "constant")) return undefined;
  const schemes = (several ? from.text.split(",") : [from.text]).map((part) => literalScheme.exec(part)?.[1]);
  return schemes.every((scheme) => scheme !== undefined) ? schemes : undefined;
}

/** The most endpoints that one step keeps; the least recently used one is dropped first (Camel: cacheSize 1000). */
const keptEndpoints = 1000;
const longestUri = 16_384;

/** An endpoint that a message names. */
export interface NamedEndpoint extends RuntimeOptions {
  readonly component: ComponentDefinition;
  /** In normal form. */
  readonly uri: string;
  readonly written: string;
}

/** What a step does with an endpoint: a processor, or a poll. */
type Use<A extends readonly unknown[], R> = (...args: A) => R | Promise<R>;

/**
 * Returns the use of the endpoint that a text names, as `open` makes it. Each call throws
 * ResolveEndpointFailedException for a text that is not an endpoint, and for one that `open` refuses.
 */
export function dynamicEndpoints<A extends readonly unknown[], R>(
  stepIndex: number,
  parts: FlowParts,
  options: DynamicOptions,
  open: (endpoint: NamedEndpoint) => Use<A, R>,
): (uri: string) => Use<A, R> {
  const { allowedSchemes, cacheSize = 0 } = options;
  const most = cacheSize === 0 ? keptEndpoints : Math.min(cacheSize, keptEndpoints);
  if (reachesNetwork(options)) parts.network = true;
  if (mayLeaveFlow(options)) markOutbound(parts.steps, stepIndex);
  markEffect(parts.steps, stepIndex, effectOfAny(namedSchemes(options)));
  if (namesFiles(options)) {
    parts.usesFiles = true;
    parts.stateful = true;
  }
  warnOfPaths(stepIndex, parts, options);
  refuseUnbounded(stepIndex, parts, options);
  declareConnections(stepIndex, parts, options, namedSchemes(options) ?? []);
  const kept = new Map<string, Use<A, R>>();
  return (written) => {
    const uri = written.trim();
    let use = kept.get(uri);
    if (use === undefined) {
      const made = (): Use<A, R> => resolved(uri, () => open(namedEndpoint(uri, parts, allowedSchemes)));
      try {
        use = made();
      } catch (error) {
        if (!(error instanceof NotLoaded)) throw error;
        return (...args) => withModules(made).then((loaded) => loaded(...args)) as Promise<R>;
      }
      if (most < 0) return use;
      if (kept.size >= most) kept.delete(kept.keys().next().value as string);
    } else kept.delete(uri);
    kept.set(uri, use);
    return use;
  };
}

function resolved<T>(uri: string, make: () => T): T {
  try {
    return make();
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

/** Throws an Error that names the fault of the text. */
export function namedEndpoint(uri: string, parts: FlowParts, allowedSchemes: string | undefined): NamedEndpoint {
  if (uri.length > longestUri) throw new Error(`an endpoint's URI has at most ${longestUri} characters`);
  const { scheme, path, query } = parseEndpointUri(uri, (name) => catalog.components.get(name)?.lenient === true);
  if (allowedSchemes !== undefined && !schemesOf(allowedSchemes).includes(scheme))
    throw new Error(`allowedSchemes does not name '${scheme}'`);
  const component = catalog.components.get(scheme);
  if (component === undefined) {
    const message = `No endpoint could be found for: ${uri.slice(0, 200)}: there is no component '${scheme}'`;
    throw new FlowException("org.apache.camel.NoSuchEndpointException", message);
  }
  const { path: pathOption } = component;
  if (component.stateful === true) parts.stateful = true;
  if (path !== "" && pathOption === undefined) throw new Error(`'${scheme}' takes nothing after its name`);
  const given = query.map(({ name, value }) => connectionOption(component, name, value));
  const texts = path === "" ? given : [[pathOption as string, path] as const, ...given];
  const pathInQuery = path === "" ? query.find(({ name }) => name === pathOption) : undefined;
  const normal = formatEndpointUri(
    scheme,
    pathInQuery?.value ?? path,
    query.filter((option) => option !== pathInQuery),
  );
  useNetwork(component, parts);
  return { component, uri: normal, written: uri, ...runtimeOptions(component, texts) };
}
