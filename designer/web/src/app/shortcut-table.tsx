/** The table of keyboard shortcuts: those of the page and of the screen that is open. */
import { Fragment } from "react";
import { Dialog } from "../ui/dialog.tsx";
import { openDialog } from "../ui/dialogs.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { shortcutGroups } from "./shortcuts.ts";
import "./shortcut-table.css";

export function openShortcutTable(): void {
  void openDialog<never>((close) => (
    <Dialog title={words.app.shortcuts} onClose={() => close()}>
      <ShortcutTable />
    </Dialog>
  ));
}

export function ShortcutTable() {
  const groups = useStore(shortcutGroups);
  return (
    <table className="shortcut-table">
      <caption className="hidden">{words.app.shortcuts}</caption>
      <tbody>
        {groups.map(({ name, shortcuts }) => (
          <Fragment key={name}>
            <tr>
              <th colSpan={2} scope="rowgroup">
                {name}
              </th>
            </tr>
            {shortcuts.map(({ keys, title }) => (
              <tr key={keys + title}>
                <td>{title}</td>
                <td>
                  <Keys keys={keys} />
                </td>
              </tr>
            ))}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

export function Keys({ keys }: { readonly keys: string }) {
  return (
    <span className="keys">
      {keys.split(" ").map((part) => (
        <kbd key={part}>{part}</kbd>
      ))}
    </span>
  );
}
