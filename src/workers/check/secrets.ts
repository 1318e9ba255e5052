/** Refuses `{{secret:NAME}}` where the value would not stay secret, or cannot be filled in. */

import { readEnvironmentName } from "../../shared/environment-mark.ts";
import type { FlowModel } from "../../shared/flow-model.ts";
import { isCredentialHeader } from "../../shared/http-headers.ts";
import type { FlowManifest } from "../../shared/manifest.ts";
import { fillSecrets, hasSecret } from "../../shared/secret-mark.ts";
import type { Catalog } from "../catalog.ts";
import { changeSecrets } from "../engine/model-secrets.ts";
import type { StepDraft } from "./context.ts";
import { bySetVariable } from "./expressions.ts";
import type { Report } from "./report.ts";

/** Returns the model with the names of its secrets. Reports secrets in wrong places. */
export function noteSecrets(model: FlowModel, catalog: Catalog, report: Report): FlowModel {
  const names = new Set<string>();
  changeSecrets(model, catalog, ({ text, place, name, at, routeId = "", stepId = "" }) => {
    fillSecrets(text, (secret) => {
      names.add(secret);
      return "";
    });
    if (place !== "refused") return text;
    const message =
      `'${name}' cannot hold {{secret:...}} or {{env:...}}: they stand in constant and simple texts, and in the address, the query and the ` +
      `credentials of endpoints that call servers; ${bySetVariable}`;
    report.error("secret_here", message, { at, pointer: "" }, { route: { id: routeId }, step: { id: stepId } });
    return text;
  });
  return { ...model, secrets: [...names] };
}

/** Throws for a parameter that contains a secret. */
export function refuseSecretParam(name: string, value: string | undefined): void {
  if (value !== undefined && hasSecret(value)) {
    throw new Error(
      `the parameter '${name}' holds a secret, which \${properties:${name}} does not read: write {{${name}}}`,
    );
  }
}

/** Steps that put the value of an expression into the message. */
const filling = new Set(["setBody", "transform", "setHeader", "setProperty", "setVariable"]);

/**
 * Warns of steps that put a secret into messages of a flow whose groups are in the state store: without DATA_KEY a message that has it
 * there fails. Control drops the warning where DATA_KEY is set.
 */
export function warnOfSecretsInGroups(
  model: FlowModel,
  { state = [] }: FlowManifest,
  { steps, catalog, report }: { steps: readonly StepDraft[]; catalog: Catalog; report: Report },
): void {
  const group = state.find(({ kind }) => kind === "aggregation");
  if (group === undefined || (model.secrets ?? []).length === 0) return;
  changeSecrets(model, catalog, ({ text, at, routeId = "", stepId = "" }) => {
    const draft = steps.find((step) => step.model.id === stepId);
    if (draft !== undefined && isKept(draft, text)) {
      const message = `the message gets the value of a secret, which the aggregate '${group.stepId}' may not keep without DATA_KEY: a message that has it there fails. Set DATA_KEY, remove it before the aggregate, or give that a MemoryAggregationRepository`;
      report.warning("secret_in_group", message, { at, pointer: "" }, { route: { id: routeId }, step: draft.model });
    }
    return text;
  });
}

function isKept({ model: { type, options } }: StepDraft, text: string): boolean {
  if (!filling.has(type)) return false;
  const { name } = options as { readonly name?: unknown };
  if (type === "setHeader" && typeof name === "string" && isCredentialHeader(name)) return false;
  let isSecret = false;
  fillSecrets(text, (mark) => {
    isSecret ||= readEnvironmentName(mark) === undefined;
    return "";
  });
  return isSecret;
}
