/** Who uses the page. */
import type { Session, User } from "../../../shared/wire.ts";
import { logout } from "../api/session.ts";
import { attempt } from "../ui/attempt.ts";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { words } from "../words.ts";
import { goTo } from "./address.ts";
import { openShortcutTable } from "./shortcut-table.tsx";

interface UserMenuProps {
  readonly user: User;
  readonly login: Session["login"];
}

export function UserMenu({ user: { name, role }, login }: UserMenuProps) {
  const leave = {
    label: words.app.logout,
    icon: "leave" as const,
    run: () => void attempt(words.app.logoutFailed, logout),
  };
  return (
    <Menu
      label={words.app.user(name, words.app.roles[role])}
      className="button quiet user-button"
      items={[
        { label: words.app.shortcuts, icon: "keyboard", run: openShortcutTable },
        { label: words.settings.title, icon: "settings", run: () => goTo("settings") },
        ...(login === "none" ? [] : [leave]),
      ]}
    >
      <Icon name="user" />
      <span className="user-name">{name}</span>
    </Menu>
  );
}
