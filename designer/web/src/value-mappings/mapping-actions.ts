/** What can be done with an open mapping, beside editing it. */
import { goTo } from "../app/address.ts";
import type { MenuItem } from "../ui/menu.tsx";
import { words } from "../words.ts";
import { duplicateMapping } from "./create.tsx";
import { exportMapping } from "./export-csv.ts";
import { importCsv } from "./import-csv.tsx";
import { removeMapping } from "./remove.tsx";
import type { MappingSession } from "./session.ts";

export function actionsOf(session: MappingSession, isEditable: boolean): readonly MenuItem[] {
  const { target, id } = session;
  const { exportCsv, exportExcel, importCsv: importTitle, duplicate, remove } = words.valueMappings;
  const isTable = session.get().draft.kind === "table";
  const items: (MenuItem | false)[] = [
    isTable && { label: exportCsv, icon: "download", run: () => exportMapping(session, ",") },
    isTable && { label: exportExcel, icon: "download", run: () => exportMapping(session, ";") },
    isTable && isEditable && { label: importTitle, icon: "upload", run: () => void importCsv(session) },
    isEditable && { label: duplicate, icon: "copy", run: () => void duplicateMapping(target, id) },
    isEditable && {
      label: remove,
      icon: "trash",
      danger: true,
      run: () => void removeMapping(target, id).then((done) => done && goTo("value-mappings")),
    },
  ];
  return items.filter((item) => item !== false);
}
