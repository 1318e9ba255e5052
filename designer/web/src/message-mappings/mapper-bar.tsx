/** What one does with an open message mapping as a whole. */
import { MappingBar } from "../mappings/mapping-bar.tsx";
import type { MappingFrame } from "../mappings/mapping-place.tsx";
import { Button } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { duplicateMapping } from "./create-mapping.tsx";
import { mapEqualNames } from "./equal-names-dialog.tsx";
import { useMapper, useMapping } from "./mapper.ts";
import { removeMapping } from "./remove-mapping.tsx";

export function MapperBar({ frame }: { readonly frame: MappingFrame }) {
  const mapper = useMapper();
  const { session, trial, isEditable } = mapper;
  const { undoLabel, redoLabel, isDirty, json, document } = useMapping(session, (state) => state);
  const { isPending } = useStore(trial);
  const name = typeof document["name"] === "string" && document["name"] !== "" ? document["name"] : session.id;
  return (
    <MappingBar
      {...{ session, frame, name, isEditable, isDirty, undoLabel, redoLabel }}
      notes={
        <>
          {json.errors.length > 0 && <Chip tone="bad">{words.messageMappings.broken}</Chip>}
          <span className={isPending ? "mapper-pending faint" : "mapper-pending hidden"} role="status">
            {isPending && words.messageMappings.pending}
          </span>
        </>
      }
      menuLabel={words.messageMappings.actionsOf(name)}
      menuItems={
        isEditable
          ? [
              {
                label: words.messageMappings.duplicate,
                icon: "copy",
                run: () => void duplicateMapping(session.target, session.id),
              },
              {
                label: words.messageMappings.remove,
                icon: "trash",
                danger: true,
                run: () => void removeMapping(session.target, session.id),
              },
            ]
          : []
      }
    >
      <Button icon="map" onClick={() => void mapEqualNames(mapper)}>
        {words.messageMappings.equalNames}
      </Button>
    </MappingBar>
  );
}
