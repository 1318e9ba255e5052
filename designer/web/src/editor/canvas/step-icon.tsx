/** The icon of a step, an element or a component. */
import { iconPath } from "./icons.ts";

const mappings = new Set(["valueMapping", "messageMapping", "mapping"]);

export function StepIcon({ name }: { readonly name: string }) {
  return (
    <span className={mappings.has(name) ? "step-icon mapping" : "step-icon"} aria-hidden="true">
      <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
        <path d={iconPath(name)} />
      </svg>
    </span>
  );
}
