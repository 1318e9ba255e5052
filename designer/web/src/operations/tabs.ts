/** The parts of the screen: each is loaded when it is first opened. */
import type { Role } from "../../../shared/wire.ts";
import { type OnDemand, onDemand } from "../ui/on-demand.tsx";
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
  readonly component: OnDemand<PartProps>;
  /** Who may see it; absent: everybody. */
  readonly least?: Role;
}

const { tabs } = words.operations;

export const parts: readonly Part[] = [
  {
    id: "health",
    title: tabs.health,
    component: onDemand(async () => (await import("./health/health-part.tsx")).HealthPart),
  },
  {
    id: "consumers",
    title: tabs.consumers,
    component: onDemand(async () => (await import("./consumers/consumers-part.tsx")).ConsumersPart),
  },
  {
    id: "usage",
    title: tabs.usage,
    component: onDemand(async () => (await import("./usage/usage-part.tsx")).UsagePart),
  },
  {
    id: "limits",
    title: tabs.limits,
    component: onDemand(async () => (await import("./limits/limits-part.tsx")).LimitsPart),
  },
  {
    id: "process",
    title: tabs.process,
    component: onDemand(async () => (await import("./process/process-part.tsx")).ProcessPart),
  },
  {
    id: "state",
    title: tabs.state,
    component: onDemand(async () => (await import("./kept/kept-part.tsx")).KeptPart),
  },
  {
    id: "access",
    title: tabs.access,
    component: onDemand(async () => (await import("./access/access-part.tsx")).AccessPart),
  },
  {
    id: "audit",
    title: tabs.audit,
    component: onDemand(async () => (await import("./audit/audit-part.tsx")).AuditPart),
    least: "operator",
  },
];
