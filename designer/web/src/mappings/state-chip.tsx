/** The state of a mapping as a word with a colour. */
import { stateTones } from "../flows/state-chip.tsx";
import { Chip } from "../ui/chip.tsx";
import { words } from "../words.ts";
import type { MappingRow } from "./state.ts";

const { mappings: texts } = words;

export function MappingStateChip({ row: { state, summary } }: { readonly row: Pick<MappingRow, "state" | "summary"> }) {
  if (state !== undefined)
    return (
      <Chip tone={stateTones[state]} title={texts.stateTexts[state]}>
        {texts.states[state]}
      </Chip>
    );
  if (summary === undefined)
    return (
      <Chip tone="bad" title={texts.missingText}>
        {texts.missing}
      </Chip>
    );
  return (
    <Chip tone="plain" title={texts.runtimeOnlyText}>
      {texts.runtimeOnly}
    </Chip>
  );
}
