/** Dark or light. */
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { chooseTheme, theme, themes } from "../ui/theme.ts";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";

export function ThemeMenu() {
  const chosen = useStore(theme);
  return (
    <Menu
      label={words.app.theme(words.settings.themes[chosen])}
      className="button quiet bare"
      items={themes.map((one) => ({
        label: words.settings.themes[one],
        checked: one === chosen,
        run: () => chooseTheme(one),
      }))}
    >
      <Icon name={chosen} />
    </Menu>
  );
}
