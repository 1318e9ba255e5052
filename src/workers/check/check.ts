/** Checks a flow's YAML text, and returns a FlowModel with its manifest, or diagnostics. */
import type { CheckRequest, CheckResult } from "../../shared/check.ts";
import type { FlowModel, RouteModel } from "../../shared/flow-model.ts";
import { defaultLimits, type Limits } from "../../shared/limits.ts";
import type { FlowManifest } from "../../shared/manifest.ts";
import type { Catalog } from "../catalog.ts";
import { CompileError, type ModelPlace } from "../engine/compile-error.ts";
import { exceptionMessage } from "../engine/exception.ts";
import type { LanguageContext } from "../engine/language.ts";
import { NotLoaded } from "../engine/late-module.ts";
import { openParams, withStandIns } from "../engine/model-secrets.ts";
import { checkClaimedPaths, checkDirects } from "./claimed-names.ts";
import { type Builders, type Context, Definitions, failed, type StepDraft } from "./context.ts";
import { findDocument } from "./document.ts";
import { elementsOf, type RouteElements, readElements } from "./elements.ts";
import { convertEndpoint } from "./endpoints.ts";
import { type Expanded, expand } from "./expand/expand.ts";
import { convertExpression, convertTemplate } from "./expressions.ts";
import { convertFormat } from "./formats.ts";
import { assignFromIds, assignRouteIds, assignStepIds } from "./ids.ts";
import { warnOfOldHeaders } from "./old-headers.ts";
import { convertMap } from "./options.ts";
import { warnOfDeliveredAddresses, warnOfNamesInStatements } from "./own-names.ts";
import { parseYaml } from "./parse.ts";
import { warnOfPaths } from "./path-advice.ts";
import { type Filled, fillPlaceholders, reportUnused } from "./placeholders.ts";
import { Report } from "./report.ts";
import { type ReadRoute, readRoute } from "./route.ts";
import { type OwnElements, readConfiguration } from "./route-configurations.ts";
import { noteSecrets, refuseSecretParam } from "./secrets.ts";
import { convertSteps } from "./steps.ts";
import { warnOfTexts } from "./text-advice.ts";
import type { Node } from "./tree.ts";
import { convertValue } from "./values.ts";
import { warnOfCallerPaths, warnOfGeneratedNames, warnOfIdleRedelivery } from "./warnings.ts";

/** Compiles a model for its manifest, which is of no use after a fault. */
export type CompileManifest = (
  model: FlowModel,
  limits: Limits,
  own: { warn(code: string, message: string, place: ModelPlace): void; fault(error: CompileError): void },
) => { readonly manifest: FlowManifest };

const builders: Builders = {
  value: convertValue,
  map: convertMap,
  expression: convertExpression,
  template: convertTemplate,
  endpoint: convertEndpoint,
  format: convertFormat,
  steps: convertSteps,
};

/**
 * Throws NotLoaded, but never for a fault of the text: faults are diagnostics, and `flow` is present when none is an
 * error.
 */
export function check(request: CheckRequest, catalog: Catalog, compile: CompileManifest): CheckResult {
  const report = new Report();
  const parsed = parseYaml(request.yaml, report);
  const filled =
    parsed === undefined ? undefined : expand(fillPlaceholders(parsed, request, report), request.flowId, report);
  const steps: StepDraft[] = [];
  const model =
    filled === undefined ? undefined : readFlow(request.flowId, filled, new Definitions(catalog), report, steps);
  if (filled !== undefined) reportUnused(request.params, filled, report);
  const manifest =
    model === undefined ? undefined : compileChecked(withStandIns(model, catalog), request.limits, compile, report);
  if (manifest !== undefined) warnOfGeneratedNames(manifest, steps, report);
  warnOfOldHeaders(steps, report);
  warnOfNamesInStatements(steps, report);
  warnOfTexts(steps, catalog, report);
  const diagnostics = report.diagnostics();
  if (model === undefined || manifest === undefined || report.errors > 0) return { diagnostics };
  return { flow: { model, manifest }, diagnostics };
}

/** Returns undefined after errors. `steps`: gets the flow's steps. */
function readFlow(
  flowId: string,
  filled: Expanded,
  definitions: Definitions,
  report: Report,
  steps: StepDraft[],
): FlowModel | undefined {
  const { root, params, beans } = filled;
  const surroundings = surroundingsOf(filled, definitions.catalog);
  const base: Omit<Context, "route" | "scope"> = {
    definitions,
    report,
    surroundings,
    steps,
    endpoints: [],
    build: builders,
  };
  const document = findDocument(root, report);
  const elements = readElements(document.elements, base);
  const configurations = document.configurations
    .map((entry) => readConfiguration(entry, base))
    .filter((configuration) => configuration !== undefined);
  const routes = document.routes
    .map((route) => readRoute(route, base, configurations))
    .filter((route) => route !== undefined);
  if (routes.length === 0 && report.errors === 0) noRoutes(document.routes.length > 0, root, report);
  const drafts = routes.map(({ draft }) => draft);
  assignRouteIds(drafts, report);
  warnOfGeneratedIds(routes, report);
  assignFromIds(drafts);
  assignStepIds(base.steps, report);
  checkDirects(routes, base.endpoints, report);
  checkClaimedPaths(routes, base.endpoints, report);
  warnOfPaths(flowId, base.endpoints, definitions.catalog, report);
  warnOfDeliveredAddresses(base.endpoints, base.steps, report);
  const anyErrors = routes.some((route) => handlesErrors(route.elements, elements));
  const models = routes.map((route) => toModel(route, elements, anyErrors)).filter((route) => route !== undefined);
  if (report.errors > 0) return undefined;
  warnOfIdleRedelivery(models, report);
  warnOfCallerPaths(models, report);
  const model: FlowModel = { flowId, params: openParams(params), beans, routes: models };
  if (!filled.secrets()) return model;
  const noted = noteSecrets(model, definitions.catalog, report);
  return report.errors > 0 ? undefined : noted;
}

function surroundingsOf({ params, used }: Filled, { languages }: Catalog): LanguageContext {
  return {
    limits: defaultLimits,
    language: (name) => languages.get(name),
    property(name) {
      used.add(name);
      const value = Object.hasOwn(params, name) ? params[name] : undefined;
      refuseSecretParam(name, value);
      return value;
    },
    // Compiling the flow records its mappings and shared variables.
    useMapping() {},
    useVariable() {},
  };
}

function noRoutes(leftOut: boolean, root: Node, report: Report): void {
  if (leftOut) report.warning("no_routes", "the precondition of every route is false: the flow has no route", root);
  else report.error("no_routes", "the flow has no route: begin with '- route:'", root);
}

function warnOfGeneratedIds(routes: readonly ReadRoute[], report: Report): void {
  for (const { draft, trigger } of routes) {
    if (draft.idAt !== undefined) continue;
    const path = trigger?.kind === "webhook" ? ` and answers at /api/${draft.id}` : "";
    const message = `the route has no id: it is called '${draft.id}'${path}; ids are unique over all flows, so give it one`;
    report.warning("generated_id", message, { at: draft.at, pointer: "" }, { route: draft });
  }
}

/** Whether the route does more with failures than to pass them on. */
function handlesErrors({ own, configurations }: OwnElements, document: RouteElements): boolean {
  return [own, document, ...configurations].some(({ handler, clauses }) => handler !== undefined || clauses.length > 0);
}

function toModel(
  { draft, autoStartup, group, variableReceive, endpoint, steps, elements }: ReadRoute,
  document: RouteElements,
  anyErrors: boolean,
): RouteModel | undefined {
  if (endpoint === failed || steps === failed) return undefined;
  const from = { id: draft.fromId, endpoint, ...(variableReceive !== undefined && { variableReceive }) };
  const around = elementsOf(elements.own, document, elements.configurations, anyErrors);
  return { id: draft.id, at: draft.at, autoStartup, ...(group !== undefined && { group }), from, steps, ...around };
}

function compileChecked(
  model: FlowModel,
  limits: Limits,
  compile: CompileManifest,
  report: Report,
): FlowManifest | undefined {
  const faults = new Map<string, CompileError>();
  const fault = (error: CompileError): void => {
    // What is around all routes is compiled for each of them.
    faults.set(JSON.stringify([error.at, error.message]), error);
  };
  try {
    const warn = (code: string, message: string, { at, routeId, stepId }: ModelPlace): void =>
      report.warning(code, message, { at, pointer: "" }, { route: { id: routeId }, step: { id: stepId ?? "" } });
    const { manifest } = compile(model, limits, { warn, fault });
    if (faults.size === 0) return manifest;
  } catch (error) {
    if (error instanceof NotLoaded) throw error;
    if (error instanceof CompileError) fault(error);
    else if (faults.size === 0)
      report.error("does_not_compile", `the flow does not compile: ${exceptionMessage(error)}`, null);
  }
  for (const { code, message, at, routeId, stepId } of faults.values())
    report.error(code, message, { at, pointer: "" }, { route: { id: routeId }, step: { id: stepId ?? "" } });
  return undefined;
}
