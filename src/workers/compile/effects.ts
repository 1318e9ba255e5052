/** What the endpoints of steps do outside of the message: for the flow's document, and for the order of runs. */
import type { EndpointModel, StepModel } from "../../shared/flow-model.ts";
import type { StepManifest } from "../../shared/manifest.ts";
import { catalog } from "../catalog.ts";
import { type ComponentDefinition, type Effect, effectOf } from "../engine/component.ts";

/** Notes what an endpoint of the step does. The strongest one of the step's endpoints counts. `index` -1: no step uses it. */
export function markEffect(steps: StepManifest[], index: number, effect: Effect): void {
  const step = steps[index];
  if (step === undefined || effect === "none" || step.effect === "writes") return;
  steps[index] = { ...step, effect };
}

/** Of an endpoint that a message names: its component may have any options. `schemes` undefined: any component. */
export function effectOfAny(schemes: readonly string[] | undefined): Effect {
  const effects = schemes?.map((scheme) => fixedEffect(catalog.components.get(scheme))) ?? ["writes"];
  return effects.find((effect) => effect === "writes") ?? effects.find((effect) => effect === "reads") ?? "none";
}

function fixedEffect(component: ComponentDefinition | undefined): Effect {
  const effect = component?.effect;
  return typeof effect === "string" ? effect : "writes";
}

/** Whether the step changes the message alone, or logs. Such steps behind the last effect may follow the run that comes next. */
export function hasNoEffect({ type, options }: StepModel): boolean {
  if (type !== "to") return withoutEffect.has(type);
  const { endpoint } = options as { readonly endpoint?: EndpointModel };
  const component = catalog.components.get(endpoint?.scheme ?? "");
  return endpoint !== undefined && component !== undefined && effectOf(component, endpoint.options) === "none";
}

const withoutEffect: ReadonlySet<string> = new Set([
  ...["log", "setBody", "setHeader", "setHeaders", "setProperty", "transform", "convertBodyTo", "convertHeaderTo"],
  ...["removeHeader", "removeHeaders", "removeProperty", "removeProperties", "marshal", "unmarshal", "validate"],
]);
