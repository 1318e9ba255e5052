/** Opens the picker and waits for what is picked. */
import type { Catalog } from "../../model/index.ts";
import { openDialog } from "../../ui/dialogs.tsx";
import type { PickerEntry, Wanted } from "./entries.ts";
import { Picker } from "./picker.tsx";

export interface Picked {
  readonly entry: PickerEntry;
  /** The catalogue that has the entry. */
  readonly catalog: Catalog;
}

/** @returns what is picked; undefined: the picker was closed */
export function pickEntry(wanted: Wanted, beside?: Element): Promise<Picked | undefined> {
  const place = beside?.getBoundingClientRect();
  return openDialog<Picked>((close) => (
    <Picker
      wanted={wanted}
      beside={place}
      onPick={(entry, catalog) => close({ entry, catalog })}
      onClose={() => close()}
    />
  ));
}
