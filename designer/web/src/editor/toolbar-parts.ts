/** What other parts of the designer put into the toolbar of an open flow, behind Save. A new part is a line here. */
import { type OnDemand, onDemand } from "../ui/on-demand.tsx";
import type { PanelProps } from "./panels.ts";

interface ToolbarPart {
  readonly id: string;
  readonly component: OnDemand<PanelProps>;
}

export const toolbarParts: readonly ToolbarPart[] = [
  {
    id: "deploy",
    component: onDemand(async () => (await import("./deploy/deploy-button.tsx")).DeployButton, null),
  },
];
