/** What other parts of the designer put into the toolbar of an open flow, behind Save. A new part is a line here. */
import type { ComponentType, LazyExoticComponent } from "react";
import type { PanelProps } from "./panels.ts";

interface ToolbarPart {
  readonly id: string;
  readonly component: LazyExoticComponent<ComponentType<PanelProps>>;
}

export const toolbarParts: readonly ToolbarPart[] = [];
