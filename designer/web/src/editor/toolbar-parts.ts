/** What other parts of the designer put into the toolbar of an open flow, behind Save. A new part is a line here. */
import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import type { PanelProps } from "./panels.ts";

interface ToolbarPart {
  readonly id: string;
  readonly component: LazyExoticComponent<ComponentType<PanelProps>>;
}

export const toolbarParts: readonly ToolbarPart[] = [
  {
    id: "deploy",
    component: lazy(async () => ({ default: (await import("./deploy/deploy-button.tsx")).DeployButton })),
  },
];
