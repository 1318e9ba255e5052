/** Dark or light: as the system has it, or as the user has chosen for this browser. */
import { readKept, writeKept } from "./kept.ts";
import { createStore } from "./store.ts";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const key = "theme";

export const theme = createStore<Theme>(themes.find((one) => one === readKept(key)) ?? "system");

export function chooseTheme(chosen: Theme): void {
  writeKept(key, chosen);
  theme.set(chosen);
  applyTheme();
}

/** Sets the attribute by which theme.css fixes the colour scheme. */
export function applyTheme(): void {
  document.documentElement.dataset["theme"] = theme.get();
}
