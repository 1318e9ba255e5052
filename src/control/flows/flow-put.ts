/** Carries out a PUT whose turn has come, and reports what a dry run or a validation would change. */
import { isDeepStrictEqual } from "node:util";
import type { Diagnostic } from "../../shared/diagnostic.ts";
import { AppError } from "../../shared/errors.ts";
import type { FlowManifest } from "../../shared/manifest.ts";
import { changeOptions, noOptions, optionsOf, settingsOf } from "../stores/flow-options.ts";
import type { FlowText, StoredRevision } from "../stores/stores.ts";
import { contentHash } from "../stores/stores.ts";
import type { Deployed, DeployOrder } from "./deploy-order.ts";
import type { Deployer } from "./deployer.ts";
import { endOfHold, heldRoutes } from "./deployment.ts";
import { acceptFlow, missingOf } from "./flow-check.ts";
import type { FlowEntry } from "./flow-register.ts";
import { reportOptions, routeSummaries } from "./flow-reports.ts";
import type { FlowDocument, Plan, PutAnswer, PutOptions, ValidateAnswer, Warning } from "./flow-service.ts";
import { withoutFound } from "./missing-target.ts";

/** `text`: the flow's file as it is now; undefined: there is none. `anew`: replaces the threads even if nothing has changed. */
export async function putFlow(
  deployer: Deployer,
  text: FlowText | undefined,
  order: DeployOrder,
  { dryRun = false, drainMs }: PutOptions,
  anew = false,
): Promise<PutAnswer> {
  const entry = deployer.parts.register.get(order.flowId);
  if (dryRun) return plan(deployer, text, order, entry);
  const head = text?.head ?? undefined;
  if (head !== undefined && text !== undefined && isSame(head, text, order)) {
    if (!anew && entry?.state === "Started" && entry.deployment?.pool.quarantinedMs === 0 && entry.hash === head.hash) {
      if (order.alongside !== undefined) await deployer.keepAlongside(order.alongside);
      return unchanged(deployer, entry, text, head);
    }
    const deployed = await deployer.deploy({ ...order, stored: head, drainMs });
    return { ...answer(deployer, deployed, text, order), created: false, changed: false, restarted: true };
  }
  const answered = answer(deployer, await deployer.deploy({ ...order, drainMs }), text, order);
  return { ...answered, warnings: [...answered.warnings, ...lostKeys(head, order)] };
}

function answer(deployer: Deployer, deployed: Deployed, text: FlowText | undefined, order: DeployOrder): PutAnswer {
  const { deployment, lastModified, checked, readyMs, drain } = deployed;
  return {
    id: deployment.flowId,
    hash: deployment.hash,
    lastModified: lastModified ?? (text as FlowText).lastModified,
    routeCount: deployment.manifest.routes.length,
    revision: deployment.revision,
    created: text === undefined,
    changed: true,
    ...reportOptions(deployer.parts.settings, order, deployment),
    routes: routeSummaries(deployer.parts.register.get(deployment.flowId)),
    warnings: [...found(checked.diagnostics, order, deployer).map(warningOf), ...heldWarnings(deployment)],
    swap: { readyMs, ...drain },
  };
}

async function plan(
  deployer: Deployer,
  text: FlowText | undefined,
  order: DeployOrder,
  entry: FlowEntry | undefined,
): Promise<PutAnswer> {
  const { flow, diagnostics, limits } = await acceptFlow(deployer.parts, order);
  deployer.parts.claims.reserve(order.flowId, flow.manifest).release();
  const head = text?.head ?? undefined;
  return {
    id: order.flowId,
    hash: contentHash(order.yaml),
    lastModified: text?.lastModified ?? new Date().toISOString(),
    routeCount: flow.manifest.routes.length,
    revision: head?.revision ?? 0,
    created: text === undefined,
    changed: head === undefined || text === undefined || !isSame(head, text, order),
    dryRun: true,
    ...reportOptions(deployer.parts.settings, order, { limits }),
    plan: planOf(entry?.deployment?.manifest, flow.manifest),
    routes: routeSummaries(entry),
    warnings: [...found(diagnostics, order, deployer).map(warningOf), ...lostKeys(head, order)],
    swap: { readyMs: 0, draining: 0 },
  };
}

function found(
  diagnostics: readonly Diagnostic[],
  { flowId }: DeployOrder,
  { parts: { register } }: Deployer,
): readonly Diagnostic[] {
  return withoutFound(diagnostics, flowId, () => register.all());
}

/** Whether the flow's last revision is what the order has, and its file, too. */
export function isSame(head: StoredRevision, text: FlowText, order: DeployOrder): boolean {
  return head.yaml === order.yaml && text.hash === head.hash && isDeepStrictEqual(optionsOf(head), optionsOf(order));
}

function unchanged({ parts }: Deployer, entry: FlowEntry, text: FlowText, head: StoredRevision): PutAnswer {
  return {
    id: entry.id,
    hash: head.hash,
    lastModified: text.lastModified,
    routeCount: entry.manifest?.routes.length ?? 0,
    revision: head.revision,
    created: false,
    changed: false,
    ...reportOptions(parts.settings, head, entry.deployment),
    routes: routeSummaries(entry),
    warnings: [],
    swap: { readyMs: 0, draining: 0 },
  };
}

function warningOf({ code, message, line, column }: Diagnostic): Warning {
  return { code, message, line, column };
}

function heldWarnings(deployment: Deployed["deployment"]): readonly Warning[] {
  const routes = heldRoutes(deployment);
  if (routes.length === 0) return [];
  const message = `the runtime's data was restored from a backup, so these routes wait: ${routes.join(", ")}; ${endOfHold}`;
  return [{ code: "held_route", message, line: null, column: null }];
}

/** `params` and `limits` that are sent replace those before as wholes: a warning names the keys that they leave out. */
function lostKeys(head: StoredRevision | undefined, order: DeployOrder): readonly Warning[] {
  const lost = (kind: "params" | "limits"): readonly Warning[] => {
    const names = Object.keys(head?.[kind] ?? {}).filter((name) => !Object.hasOwn(order[kind], name));
    if (names.length === 0) return [];
    const message = `${kind} are replaced as a whole; these are gone: ${names.join(", ")}`;
    return [{ code: `${kind}_lost`, message, line: null, column: null }];
  };
  return [...lost("params"), ...lost("limits")];
}

/** Reports all problems of a flow's document, and what its deployment would start and stop. Options that it leaves out are those of the flow as it is. */
export async function validateFlow(
  { parts: { checks, settings, register, store, mappingAccess, connections, variables } }: Deployer,
  id: string,
  { yaml, options }: FlowDocument,
): Promise<ValidateAnswer> {
  const changed = changeOptions((await store.read(id))?.head ?? noOptions, options);
  const { params } = changed;
  const overrides = settingsOf(changed);
  const problem = refusalOf(() => settings(overrides));
  const { limits } = settings(problem === undefined ? overrides : {});
  const { flow, diagnostics } = await checks.check({ flowId: id, yaml, params, limits, variables: variables(id) });
  const absent = flow === undefined ? [] : await missingOf(id, flow.manifest, { mappingAccess, connections });
  return {
    valid: flow !== undefined && problem === undefined && absent.every(({ severity }) => severity !== "error"),
    routeCount: flow?.model.routes.length ?? 0,
    diagnostics: [
      ...withoutFound(diagnostics, id, () => register.all()),
      ...absent,
      ...(problem === undefined ? [] : [problem]),
    ],
    plan: planOf(register.get(id)?.deployment?.manifest, flow?.manifest),
  };
}

/** Returns the AppError that `work` throws as a problem of the document; other errors pass. */
function refusalOf(work: () => unknown): Diagnostic | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const nowhere = { line: null, column: null, endLine: null, endColumn: null, routeId: null, stepId: null };
    return { severity: "error", code: error.code, message: error.message, pointer: "", ...nowhere };
  }
}

/** `unchanged`: the trigger of the route stays, and a timer keeps its phase; a route with another `from` is stopped and started. */
function planOf(now: FlowManifest | undefined, next: FlowManifest | undefined): Plan {
  const before = new Map(now?.routes.map(({ id, uri }) => [id, uri]));
  const after = new Map(next?.routes.map(({ id, uri }) => [id, uri]));
  return {
    start: [...after].filter(([id, uri]) => before.get(id) !== uri).map(([id]) => id),
    stop: [...before].filter(([id, uri]) => after.get(id) !== uri).map(([id]) => id),
    unchanged: [...after].filter(([id, uri]) => before.get(id) === uri).map(([id]) => id),
  };
}
