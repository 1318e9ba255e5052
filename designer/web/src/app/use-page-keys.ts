/** The shortcuts and commands that every screen has, and the listener for all of them. */
import { useEffect } from "react";
import { workspaceFlows } from "../api/cache.ts";
import { isDialogOpen } from "../ui/dialogs.tsx";
import { words } from "../words.ts";
import { goTo } from "./address.ts";
import { type Command, offerCommands } from "./commands.ts";
import { openPalette } from "./palette.tsx";
import { screens } from "./screens.ts";
import { openShortcutTable } from "./shortcut-table.tsx";
import { bindShortcuts, handleKey } from "./shortcuts.ts";

export function usePageKeys(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isDialogOpen()) return;
      handleKey(event, isTyping(event.target));
    };
    addEventListener("keydown", listen);
    const ends = [bindShortcuts(words.app.everywhere, everywhere()), offerCommands(commands)];
    return () => {
      removeEventListener("keydown", listen);
      for (const end of ends) end();
    };
  }, []);
}

function everywhere() {
  return [
    { keys: "Ctrl+K", title: words.app.openPalette, run: openPalette },
    { keys: "?", title: words.app.shortcuts, run: openShortcutTable },
    ...screens.map(({ path, title, keys }) => ({ keys, title: words.app.goTo(title), run: () => goTo(path) })),
  ];
}

function commands(): readonly Command[] {
  const flows = workspaceFlows().get().value ?? [];
  return [
    ...screens.map(
      ({ path, title, icon, keys }): Command => ({
        id: `screen ${path}`,
        title,
        group: words.app.screen,
        icon,
        keys,
        run: () => goTo(path),
      }),
    ),
    ...flows
      .filter(({ hash }) => hash !== "")
      .map(
        ({ id, name, category }): Command => ({
          id: `flow ${id}`,
          title: words.flows.openTitle(name),
          words: `${id} ${category ?? ""}`,
          group: words.flows.title,
          icon: "flows",
          run: () => goTo("flows", id),
        }),
      ),
    {
      id: "shortcuts",
      title: words.app.shortcuts,
      group: words.app.action,
      icon: "keyboard",
      keys: "?",
      run: openShortcutTable,
    },
  ];
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
