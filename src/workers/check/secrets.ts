/** Refuses `{{secret:NAME}}` where the value would not stay secret, or cannot be filled in. */
import type { FlowModel } from "../../shared/flow-model.ts";
import { fillSecrets, hasSecret } from "../../shared/secret-mark.ts";
import type { Catalog } from "../catalog.ts";
import { changeSecrets } from "../engine/model-secrets.ts";
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
