/** The one list of screens: each is loaded when it is first opened. A new screen is a line here. */
import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import type { IconName } from "../ui/icons.ts";
import { words } from "../words.ts";
import type { Address } from "./hash.ts";

export interface ScreenProps {
  readonly address: Address;
}

type LazyScreen = LazyExoticComponent<ComponentType<ScreenProps>>;

export interface Screen {
  /** The first segment of its addresses. */
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  /** The keys that go there. */
  readonly keys: string;
  readonly component: LazyScreen;
  /** What `#/path/:id` shows; absent: the screen itself does. */
  readonly one?: LazyScreen;
}

export const screens: readonly Screen[] = [
  {
    path: "flows",
    title: words.flows.title,
    icon: "flows",
    keys: "g f",
    component: lazy(async () => ({ default: (await import("../flows/flows-screen.tsx")).FlowsScreen })),
    one: lazy(async () => ({ default: (await import("../editor/editor-screen.tsx")).EditorScreen })),
  },
  {
    path: "runs",
    title: words.runs.title,
    icon: "runs",
    keys: "g r",
    component: lazy(async () => ({ default: (await import("../runs/runs-screen.tsx")).RunsScreen })),
    one: lazy(async () => ({ default: (await import("../runs/run-screen.tsx")).RunScreen })),
  },
  {
    path: "failed",
    title: words.failed.title,
    icon: "failed",
    keys: "g e",
    component: lazy(async () => ({ default: (await import("../failed/failed-screen.tsx")).FailedScreen })),
    one: lazy(async () => ({ default: (await import("../failed/failed-message-screen.tsx")).FailedMessageScreen })),
  },
  {
    path: "value-mappings",
    title: words.valueMappings.title,
    icon: "table",
    keys: "g v",
    component: lazy(async () => ({ default: (await import("../value-mappings/mappings-screen.tsx")).MappingsScreen })),
    one: lazy(async () => ({ default: (await import("../value-mappings/mapping-screen.tsx")).MappingScreen })),
  },
  {
    path: "message-mappings",
    title: words.messageMappings.title,
    icon: "map",
    keys: "g m",
    component: lazy(async () => ({
      default: (await import("../message-mappings/mappings-screen.tsx")).MappingsScreen,
    })),
    one: lazy(async () => ({ default: (await import("../message-mappings/mapping-screen.tsx")).MappingScreen })),
  },
  {
    path: "operations",
    title: words.operations.title,
    icon: "operations",
    keys: "g o",
    component: lazy(async () => ({ default: (await import("../operations/operations-screen.tsx")).OperationsScreen })),
  },
  {
    path: "settings",
    title: words.settings.title,
    icon: "settings",
    keys: "g s",
    component: lazy(async () => ({ default: (await import("../settings/settings-screen.tsx")).SettingsScreen })),
  },
];

/** The screen of an address; the list of flows where there is none. */
export function screenOf({ screen }: Address): Screen | undefined {
  return screen === "" ? screens[0] : screens.find(({ path }) => path === screen);
}
