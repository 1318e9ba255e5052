/** Compiles a FlowModel: the processors of its routes, and the manifest for control. */
import type { Egress } from "../../shared/egress.ts";
import type { FlowModel, RouteModel } from "../../shared/flow-model.ts";
import type { Limits } from "../../shared/limits.ts";
import type { FlowManifest, HttpTrigger, StepManifest, Trigger } from "../../shared/manifest.ts";
import type { MappingUse } from "../../shared/mapping.ts";
import { type Mask, noMask } from "../../shared/secret-mask.ts";
import { catalog } from "../catalog.ts";
import { attempting, CompileError, compiledAt, type ModelPlace } from "../engine/compile-error.ts";
import { runsOnce, triggerOf } from "../engine/component.ts";
import type { AnnouncePort } from "../engine/flow-scope.ts";
import { noState, type StatePort } from "../engine/flow-state.ts";
import { openParams } from "../engine/model-secrets.ts";
import type { Processor } from "../engine/processor.ts";
import { isShared, SharedVariables } from "../engine/shared-variables.ts";
import { requireSettable } from "../engine/variables.ts";
import { wantsOriginal } from "./compile-errors.ts";
import { type ExpressionCompiler, expressionCompiler } from "./compile-expression.ts";
import { compileRoute } from "./compile-route.ts";
import { addSource } from "./compile-source.ts";
import type { OpenConnections } from "./connections.ts";
import { type DirectTarget, localCall, remoteCall } from "./direct-calls.ts";
import { FlowCounts } from "./flow-counts.ts";
import { FlowLife, noPort } from "./flow-life.ts";
import { type FlowParts, findBean } from "./flow-parts.ts";
import { LateConnections } from "./late-connections.ts";
import { warnOfReplies } from "./reply-warnings.ts";
import { Repositories } from "./repositories.ts";

export interface CompiledRoute {
  readonly id: string;
  readonly processor: Processor;
  /** The variable that receives the message of a run, which then begins with a null body. */
  readonly variableReceive: string | undefined;
  /** Present: the route has its own path, and is called and answered like Camel's platform-http. */
  readonly http: HttpTrigger | undefined;
}

export interface CompiledFlow {
  readonly manifest: FlowManifest;
  /**
   * The endpoint that a step sends to, in normal form; undefined for none, or for one that messages name. `step`: the
   * index in the manifest's steps.
   */
  endpoint(step: number): string | undefined;
  /** Schemes of its endpoints that open connections; endpoints that messages name are added later. */
  readonly schemes: ReadonlySet<string>;
  /** Compiles expressions that are not part of the flow's text. */
  readonly expressions: ExpressionCompiler;
  /** Called when the flow starts to serve and when it ends. */
  readonly life: Pick<FlowLife, "serve" | "halt" | "finish" | "sourceOf">;
  /** `index`: in the manifest's routes. */
  route(index: number): CompiledRoute;
  /** The variables that its runs share; undefined when its text names none. */
  readonly variables: SharedVariables | undefined;
  /** Returns the route that consumes `direct:name`, undefined without one in this flow. */
  direct(name: string): CompiledRoute | undefined;
  /** Returns what the runs begin with that this step or completion announces; undefined: it announces none. */
  entry(id: string): Processor | undefined;
}

/** Services of a thread; absent when a flow is only checked. */
export interface ThreadOwn {
  /** Announces runs that begin in the thread. */
  readonly port?: AnnouncePort | undefined;
  /** The addresses that the flow may call. */
  readonly egress?: Egress | undefined;
  /** The flow's own directory. */
  readonly files?: string | undefined;
  /** The memory of its figures (shared/figures.ts). */
  readonly figures?: Int32Array | undefined;
  /** Removes the flow's secrets from names. */
  readonly mask?: Mask | undefined;
  /** The state store. */
  readonly state?: StatePort | undefined;
  /** Returns its named connections; throws NotLoaded. */
  readonly connections?: (() => OpenConnections) | undefined;
  /** Present where the flow is checked: receives what is probably not meant. */
  readonly warn?: ((code: string, message: string, place: ModelPlace) => void) | undefined;
  /** Present where the flow is checked: receives each fault, and the rest is compiled. After a fault the result does not run. */
  readonly fault?: ((error: CompileError) => void) | undefined;
}

/** Throws CompileError for the first fault, unless `fault` receives them. */
export function compileFlow(
  model: FlowModel,
  limits: Limits,
  {
    port = noPort,
    egress,
    files,
    figures,
    mask = noMask,
    state = noState,
    connections,
    warn = () => {},
    fault,
  }: ThreadOwn = {},
): CompiledFlow {
  const attempt = attempting(fault);
  const triggers = model.routes.map((route) => attempt(() => compileTrigger(route), faultyTrigger));
  const life = new FlowLife(port, limits);
  const counts = new FlowCounts(figures, mask);
  const targets = model.routes.map((route, index) =>
    compileTarget(route, triggers[index] as Trigger, () => life.runs(index)),
  );
  const directs = directTargets(model, triggers, targets);
  const external = new Set<string>();
  const steps: StepManifest[] = [];
  const mappings = new Map<string, MappingUse>();
  const repositories = new Repositories();
  const beans = new Map((model.beans ?? []).map((bean) => [bean.name, bean]));
  const used = new LateConnections({ thread: connections, bean: (name) => findBean(name, beans), mask });
  /** Once true, mappings that messages name are looked up, but not reported to control. */
  let compiled = false;
  let variables: SharedVariables | undefined;
  const indexes = new Map(model.routes.map(({ id }, index) => [id, index]));
  const routeIndex = (routeId: string): number => indexes.get(routeId) ?? 0;
  const parts: FlowParts = {
    counts,
    routeIndex,
    flowId: model.flowId,
    limits,
    params: model.params,
    entries: new Map(),
    beans,
    steps,
    endpoints: new Map(),
    stateful: false,
    network: false,
    schemes: new Set(),
    egress,
    usesFiles: false,
    files,
    routes: model.routes.map(({ id }) => id),
    groups: new Map(model.routes.map(({ id, group }) => [id, group])),
    scope: (routeId) => life.scope(routeIndex(routeId), counts.route(routeIndex(routeId))),
    useMapping(kind, id, routeId, stepId) {
      if (!compiled) mappings.set(JSON.stringify([kind, id, stepId]), { kind, id, routeId, stepId });
      else if (![...mappings.values()].some((use) => use.kind === kind && use.id === id)) {
        throw new Error(
          `no step of the flow names the ${kind} mapping '${id}' itself: only such mappings are given to it`,
        );
      }
    },
    useVariable(name) {
      if (!isShared(name) || variables !== undefined) return;
      if (compiled) throw new Error(`the flow's own text names no variable that runs share, as '${name}' is`);
      variables = new SharedVariables(limits);
      parts.stateful = true;
    },
    useState(need, routeId, stepId) {
      repositories.declare(need, routeId, stepId);
      return state;
    },
    useConnection: (need, routeId, stepId) => used.use(need, routeId, stepId),
    warn,
    attempt,
    direct(name) {
      const target = directs.get(name);
      if (target !== undefined) return { local: true, call: localCall(name, target) };
      if (!compiled) external.add(name);
      return { local: false, call: remoteCall(name) };
    },
  };
  const keepsOriginal = model.routes.some(wantsOriginal);
  model.routes.forEach((route, index) => {
    attempt(() => receiveVariable(route, parts), undefined);
    const processor = entry(triggers[index] as Trigger, compileRoute(route, parts));
    (targets[index] as RouteTarget).processor = keepsOriginal ? keepingOriginal(processor) : processor;
  });
  warnOfReplies(model, triggers, parts);
  const sources = model.routes.filter((_, index) => triggers[index]?.kind === "source");
  model.routes.forEach((route, index) => {
    attempt(() => addSource(route, targets[index] as RouteTarget, { parts, life, port, sources }), undefined);
  });
  compiled = true;
  parts.params = openParams(model.params);
  life.seal();
  repositories.seal();
  used.seal();
  const manifest: FlowManifest = {
    routes: model.routes.map(({ id, from, autoStartup }, index) => ({
      id,
      uri: from.endpoint.uri,
      trigger: triggers[index] as Trigger,
      autoStartup,
      ...(isOnce(from) && { once: true }),
    })),
    steps,
    externalDirects: [...external],
    stateful: parts.stateful,
    network: parts.network,
    files: parts.usesFiles,
    mappings: [...mappings.values()],
    secrets: model.secrets ?? [],
    lifecycle: life.wanted,
    ...(repositories.uses && { state: repositories.uses }),
    ...(used.uses && { connections: used.uses }),
    ...(counts.endpoints.length > 0 && { endpoints: counts.endpoints }),
  };
  const nowhere: ModelPlace = { at: { line: 1, column: 1, endLine: 1, endColumn: 1 }, routeId: "", stepId: null };
  return {
    manifest,
    endpoint: (step) => parts.endpoints.get(step),
    schemes: parts.schemes,
    expressions: expressionCompiler(parts, nowhere),
    life,
    variables,
    route(index) {
      const route = targets[index];
      if (route === undefined) throw new RangeError(`the flow has ${targets.length} routes, no route ${index}`);
      return route;
    },
    direct: (name) => directs.get(name),
    entry: (id) => parts.entries.get(id),
  };
}

/** In place of one that has a fault: nobody waits for an answer of its route. */
const faultyTrigger: Trigger = { kind: "source", scheme: "" };

function compileTrigger({ id, from }: RouteModel): Trigger {
  const { scheme, options, at } = from.endpoint;
  const component = catalog.components.get(scheme);
  if (component === undefined)
    throw new CompileError("unknown_component", `unknown component '${scheme}'`, at, id, null);
  const trigger = compiledAt(fromPlace(id, at), "bad_endpoint", () => triggerOf(component, options));
  if (trigger === undefined) throw new CompileError("no_consumer", `'${scheme}' can only stand in 'to'`, at, id, null);
  return trigger;
}

function isOnce({ endpoint: { scheme, options } }: RouteModel["from"]): boolean {
  const component = catalog.components.get(scheme);
  return component !== undefined && runsOnce(component, options);
}

/** Throws for a variable of `from` that cannot be set. */
function receiveVariable({ id, from: { variableReceive, endpoint } }: RouteModel, { useVariable }: FlowParts): void {
  if (variableReceive === undefined) return;
  compiledAt(fromPlace(id, endpoint.at), "bad_option", () => requireSettable(variableReceive, useVariable));
}

interface RouteTarget extends DirectTarget {
  readonly http: HttpTrigger | undefined;
}

function compileTarget(
  { id, from: { variableReceive } }: RouteModel,
  trigger: Trigger,
  runs: () => boolean,
): RouteTarget {
  return { id, variableReceive, http: trigger.kind === "http" ? trigger : undefined, runs, processor: () => {} };
}

function directTargets(
  model: FlowModel,
  triggers: readonly Trigger[],
  targets: readonly RouteTarget[],
): ReadonlyMap<string, RouteTarget> {
  const directs = new Map<string, RouteTarget>();
  triggers.forEach((trigger, index) => {
    if (trigger.kind !== "direct") return;
    const { id, from } = model.routes[index] as RouteModel;
    const other = directs.get(trigger.name);
    if (other !== undefined) {
      const message = `'direct:${trigger.name}' is already consumed by route '${other.id}': a name has one consumer`;
      throw new CompileError("direct_taken", message, from.endpoint.at, id, null);
    }
    directs.set(trigger.name, targets[index] as RouteTarget);
  });
  return directs;
}

/** A caller waits for the answer to a request, so its exchanges are InOut; a timer's are InOnly. */
function entry(trigger: Trigger, processor: Processor): Processor {
  if (trigger.kind !== "webhook" && trigger.kind !== "http") return processor;
  return (exchange) => {
    exchange.pattern = "InOut";
    return processor(exchange);
  };
}

/** The unit of work begins with the exchange's first route. */
function keepingOriginal(processor: Processor): Processor {
  return (exchange) => {
    exchange.keepOriginal();
    return processor(exchange);
  };
}

function fromPlace(routeId: string, at: ModelPlace["at"]): ModelPlace {
  return { at, routeId, stepId: null };
}
