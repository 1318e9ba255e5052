/** The parts of the screen: each is loaded when it is first opened. */
import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import type { Role } from "../../../shared/wire.ts";
import { words } from "../words.ts";

export interface PartProps {
  /** The name of the runtime. */
  readonly target: string;
  /** Of the address. */
  readonly query: Readonly<Record<string, string>>;
}

interface Part {
  /** In the address: `#/operations?tab=audit`. */
  readonly id: string;
  readonly title: string;
  readonly component: LazyExoticComponent<ComponentType<PartProps>>;
  /** Who may see it; absent: everybody. */
  readonly least?: Role;
}

const { tabs } = words.operations;

export const parts: readonly Part[] = [
  {
    id: "health",
    title: tabs.health,
    component: lazy(async () => ({ default: (await import("./health/health-part.tsx")).HealthPart })),
  },
  {
    id: "usage",
    title: tabs.usage,
    component: lazy(async () => ({ default: (await import("./usage/usage-part.tsx")).UsagePart })),
  },
  {
    id: "limits",
    title: tabs.limits,
    component: lazy(async () => ({ default: (await import("./limits/limits-part.tsx")).LimitsPart })),
  },
  {
    id: "process",
    title: tabs.process,
    component: lazy(async () => ({ default: (await import("./process/process-part.tsx")).ProcessPart })),
  },
  {
    id: "state",
    title: tabs.state,
    component: lazy(async () => ({ default: (await import("./kept/kept-part.tsx")).KeptPart })),
  },
  {
    id: "access",
    title: tabs.access,
    component: lazy(async () => ({ default: (await import("./access/access-part.tsx")).AccessPart })),
  },
  {
    id: "audit",
    title: tabs.audit,
    component: lazy(async () => ({ default: (await import("./audit/audit-part.tsx")).AuditPart })),
    least: "operator",
  },
];
