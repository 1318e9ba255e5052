/** What the command palette offers on every screen: screens, flows, and what the menus of the page do. */
import { workspaceFlows } from "../api/cache.ts";
import { logout, sessionState } from "../api/session.ts";
import { chooseTarget, target, targets } from "../api/target.ts";
import { attempt } from "../ui/attempt.ts";
import { chooseTheme, theme, themes } from "../ui/theme.ts";
import { words } from "../words.ts";
import { goTo } from "./address.ts";
import type { Command } from "./commands.ts";
import { screens } from "./screens.ts";
import { openShortcutTable } from "./shortcut-table.tsx";

export function pageCommands(): readonly Command[] {
  return [...screenCommands(), ...actionCommands(), ...flowCommands()];
}

function screenCommands(): readonly Command[] {
  return screens.map(({ path, title, icon, keys }) => ({
    ...{ id: `screen ${path}`, title, group: words.app.screen, icon, keys },
    run: () => goTo(path),
  }));
}

function actionCommands(): readonly Command[] {
  const group = words.app.action;
  const state = sessionState.get();
  const hasLogin = state.kind === "ready" && state.session.login !== "none";
  const leave = (): void => void attempt(words.app.logoutFailed, logout);
  return [
    { id: "shortcuts", title: words.app.shortcuts, group, icon: "keyboard", keys: "?", run: openShortcutTable },
    ...targets()
      .filter(({ name }) => name !== target.get()?.name)
      .map(({ name, label }): Command => {
        const title = words.app.chooseTarget(label);
        return { id: `target ${name}`, title, group, icon: "server", run: () => chooseTarget(name) };
      }),
    ...themes
      .filter((one) => one !== theme.get())
      .map((one): Command => {
        const title = words.app.chooseTheme(words.settings.themes[one]);
        return { id: `theme ${one}`, title, group, icon: one, run: () => chooseTheme(one) };
      }),
    ...(hasLogin ? [{ id: "logout", title: words.app.logout, group, icon: "leave", run: leave } as const] : []),
  ];
}

/** Flows of the workspace, as they were last seen. */
function flowCommands(): readonly Command[] {
  const flows = workspaceFlows().get().value ?? [];
  return flows
    .filter(({ hash }) => hash !== "")
    .map(({ id, name, category }) => ({
      id: `flow ${id}`,
      title: words.flows.openTitle(name),
      words: `${id} ${category ?? ""}`,
      group: words.flows.title,
      icon: "flows",
      run: () => goTo("flows", id),
    }));
}
