/** The shortcuts and commands that every screen has, and the listener for all of them. */
import { useEffect } from "react";
import { isDialogOpen } from "../ui/dialogs.tsx";
import { words } from "../words.ts";
import { goTo } from "./address.ts";
import { offerCommands } from "./commands.ts";
import { pageCommands } from "./page-commands.ts";
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
    const ends = [bindShortcuts(words.app.everywhere, everywhere()), offerCommands(pageCommands)];
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

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
