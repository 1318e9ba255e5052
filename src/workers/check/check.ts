/** A flow's YAML text to a FlowModel with its manifest, or to diagnostics. */
import type { CheckRequest, CheckResult } from "../../shared/check.ts";
import type { FlowModel, RouteModel } from "../../shared/flow-model.ts";
import type { Limits } from "../../shared/limits.ts";
import type { FlowManifest } from "../../shared/manifest.ts";
import type { Catalog } from "../catalog.ts";
import { CompileError } from "../engine/compile-error.ts";
import { exceptionMessage } from "../engine/exception.ts";
import { checkClaimedPaths } from "./claimed-paths.ts";
import { type Builders, type Context, Definitions, failed } from "./context.ts";
import { checkDirects } from "./directs.ts";
import { findRoutes } from "./document.ts";
import { convertEndpoint } from "./endpoints.ts";
import { convertExpression, convertTemplate } from "./expressions.ts";
import { assignFromIds, assignRouteIds, assignStepIds } from "./ids.ts";
import { convertMap } from "./options.ts";
import { parseYaml } from "./parse.ts";
import { fillPlaceholders } from "./placeholders.ts";
import { Report } from "./report.ts";
import { type ReadRoute, readRoute } from "./route.ts";
import { convertSteps } from "./steps.ts";
import type { Node } from "./tree.ts";
import { convertValue } from "./values.ts";

/** Compiles a model to learn its manifest; throws CompileError. */
export type CompileManifest = (model: FlowModel, limits: Limits) => { readonly manifest: FlowManifest };

const builders: Builders = {
  value: convertValue,
  map: convertMap,
  expression: convertExpression,
  template: convertTemplate,
  endpoint: convertEndpoint,
  steps: convertSteps,
};

/** Never throws for anything that a text can say: problems are diagnostics, and `flow` is there when none is an error. */
export function check(request: CheckRequest, catalog: Catalog, compile: CompileManifest): CheckResult {
  const report = new Report();
  const parsed = parseYaml(request.yaml, report);
  const root = parsed === undefined ? undefined : fillPlaceholders(parsed, request.params, report);
  const model = root === undefined ? undefined : readFlow(request.flowId, root, new Definitions(catalog), report);
  const manifest = model === undefined ? undefined : compileChecked(model, request.limits, compile, report);
  const diagnostics = report.diagnostics();
  if (model === undefined || manifest === undefined || report.errors > 0) return { diagnostics };
  return { flow: { model, manifest }, diagnostics };
}

/** Undefined when there are errors. */
function readFlow(flowId: string, root: Node, definitions: Definitions, report: Report): FlowModel | undefined {
  const base: Omit<Context, "route" | "scope"> = { definitions, report, steps: [], endpoints: [], build: builders };
  const found = findRoutes(root, report);
  const routes = found.map((route) => readRoute(route, base)).filter((route) => route !== undefined);
  if (routes.length === 0 && report.errors === 0) noRoutes(found.length > 0, root, report);
  const drafts = routes.map(({ draft }) => draft);
  assignRouteIds(drafts, report);
  warnOfGeneratedIds(routes, report);
  assignFromIds(drafts);
  assignStepIds(base.steps, report);
  checkDirects(routes, base.endpoints, report);
  checkClaimedPaths(routes, base.endpoints, report);
  const models = routes.map(toModel).filter((route) => route !== undefined);
  return report.errors > 0 ? undefined : { flowId, routes: models };
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

function toModel({ draft, autoStartup, variableReceive, endpoint, steps }: ReadRoute): RouteModel | undefined {
  if (endpoint === failed || steps === failed) return undefined;
  const from = { id: draft.fromId, endpoint, ...(variableReceive !== undefined && { variableReceive }) };
  return { id: draft.id, at: draft.at, autoStartup, from, steps };
}

function compileChecked(
  model: FlowModel,
  limits: Limits,
  compile: CompileManifest,
  report: Report,
): FlowManifest | undefined {
  try {
    return compile(model, limits).manifest;
  } catch (error) {
    if (!(error instanceof CompileError)) {
      report.error("does_not_compile", `the flow does not compile: ${exceptionMessage(error)}`, null);
      return undefined;
    }
    const scope = { route: { id: error.routeId }, step: { id: error.stepId ?? "" } };
    report.error(error.code, error.message, { at: error.at, pointer: "" }, scope);
    return undefined;
  }
}
