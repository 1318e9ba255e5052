/** The one list of screens: each is loaded when it is first opened. A new screen is a line here. */
import type { IconName } from "../ui/icons.ts";
import { type OnDemand, onDemand } from "../ui/on-demand.tsx";
import { words } from "../words.ts";
import type { Address } from "./hash.ts";

export interface ScreenProps {
  readonly address: Address;
}

export interface Screen {
  /** The first segment of its addresses. */
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  /** The keys that go there. */
  readonly keys: string;
  readonly component: OnDemand<ScreenProps>;
  /** What `#/path/:id` shows; absent: the screen itself does. */
  readonly one?: OnDemand<ScreenProps>;
}

export const screens: readonly Screen[] = [
  {
    path: "flows",
    title: words.flows.title,
    icon: "flows",
    keys: "g f",
    component: onDemand(async () => (await import("../flows/flows-screen.tsx")).FlowsScreen),
    one: onDemand(async () => (await import("../editor/editor-screen.tsx")).EditorScreen),
  },
  {
    path: "recipes",
    title: words.recipes.title,
    icon: "recipes",
    keys: "g t",
    component: onDemand(async () => (await import("../recipes/recipes-screen.tsx")).RecipesScreen),
  },
  {
    path: "runs",
    title: words.runs.title,
    icon: "runs",
    keys: "g r",
    component: onDemand(async () => (await import("../runs/runs-screen.tsx")).RunsScreen),
    one: onDemand(async () => (await import("../runs/run-screen.tsx")).RunScreen),
  },
  {
    path: "failed",
    title: words.failed.title,
    icon: "failed",
    keys: "g e",
    component: onDemand(async () => (await import("../failed/failed-screen.tsx")).FailedScreen),
    one: onDemand(async () => (await import("../failed/failed-message-screen.tsx")).FailedMessageScreen),
  },
  {
    path: "value-mappings",
    title: words.valueMappings.title,
    icon: "table",
    keys: "g v",
    component: onDemand(async () => (await import("../value-mappings/mappings-screen.tsx")).MappingsScreen),
    one: onDemand(async () => (await import("../value-mappings/mapping-screen.tsx")).MappingScreen),
  },
  {
    path: "message-mappings",
    title: words.messageMappings.title,
    icon: "map",
    keys: "g m",
    component: onDemand(async () => (await import("../message-mappings/mappings-screen.tsx")).MappingsScreen),
    one: onDemand(async () => (await import("../message-mappings/mapping-screen.tsx")).MappingScreen),
  },
  {
    path: "connections",
    title: words.connections.title,
    icon: "server",
    keys: "g c",
    component: onDemand(async () => (await import("../connections/connections-screen.tsx")).ConnectionsScreen),
    one: onDemand(async () => (await import("../connections/connection-screen.tsx")).ConnectionScreen),
  },
  {
    path: "operations",
    title: words.operations.title,
    icon: "operations",
    keys: "g o",
    component: onDemand(async () => (await import("../operations/operations-screen.tsx")).OperationsScreen),
  },
  {
    path: "settings",
    title: words.settings.title,
    icon: "settings",
    keys: "g s",
    component: onDemand(async () => (await import("../settings/settings-screen.tsx")).SettingsScreen),
  },
];

/** What an address shows of its screen: one of its things, or all. */
export function shownOf({ one, component }: Screen, { rest }: Address): OnDemand<ScreenProps> {
  return rest.length > 0 && one !== undefined ? one : component;
}

/** The screen of an address; the list of flows where there is none. */
export function screenOf({ screen }: Address): Screen | undefined {
  return screen === "" ? screens[0] : screens.find(({ path }) => path === screen);
}
