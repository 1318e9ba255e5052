/** What one does with an open mapping as a whole. */
import { hashOf } from "../app/hash.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { duplicateMapping } from "./create-mapping.tsx";
import { mapEqualNames } from "./equal-names-dialog.tsx";
import { useMapper, useMapping } from "./mapper.ts";
import { removeMapping } from "./remove-mapping.tsx";
import { saveMapping } from "./save-mapping.tsx";

export function MappingBar() {
  const mapper = useMapper();
  const { session, trial, isEditable } = mapper;
  const { undoLabel, redoLabel, isDirty, json, document } = useMapping(session, (state) => state);
  const { isPending } = useStore(trial);
  const name = typeof document["name"] === "string" && document["name"] !== "" ? document["name"] : session.id;
  return (
    <header className="workbench-bar mapper-bar">
      <a className="workbench-back mapper-back" href={hashOf(["message-mappings"])}>
        {words.messageMappings.title}
      </a>
      <h1>{name}</h1>
      {name !== session.id && <code className="faint">{session.id}</code>}
      {isDirty && <Chip tone="accent">{words.messageMappings.unsaved}</Chip>}
      {json.errors.length > 0 && <Chip tone="bad">{words.messageMappings.broken}</Chip>}
      <span className={isPending ? "mapper-pending faint" : "mapper-pending hidden"} role="status">
        {isPending && words.messageMappings.pending}
      </span>
      <span className="space" />
      {isEditable && (
        <>
          <IconButton
            icon="undo"
            label={words.messageMappings.undo(undoLabel)}
            disabled={undoLabel === undefined}
            onClick={session.undo}
          />
          <IconButton
            icon="redo"
            label={words.messageMappings.redo(redoLabel)}
            disabled={redoLabel === undefined}
            onClick={session.redo}
          />
          <Button icon="map" onClick={() => void mapEqualNames(mapper)}>
            {words.messageMappings.equalNames}
          </Button>
          <Button kind="primary" icon="save" disabled={!isDirty} onClick={() => void saveMapping(session)}>
            {words.messageMappings.save}
          </Button>
          <Menu
            label={words.messageMappings.actionsOf(name)}
            className="button quiet bare"
            items={[
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
            ]}
          >
            <Icon name="more" />
          </Menu>
        </>
      )}
    </header>
  );
}
