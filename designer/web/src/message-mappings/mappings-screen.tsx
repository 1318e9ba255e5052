/** The list of message mappings. */
import { mayDo } from "../api/session.ts";
import type { ScreenProps } from "../app/screens.ts";
import { MappingList } from "../mappings/mapping-list.tsx";
import { Button } from "../ui/button.tsx";
import { words } from "../words.ts";
import { createMapping } from "./create-mapping.tsx";
import { mappingColumns } from "./mapping-columns.tsx";

const texts = words.messageMappings;

export function MappingsScreen(_: ScreenProps) {
  return (
    <MappingList
      kind="message"
      icon="map"
      search={texts.search}
      actions={newAction}
      columns={mappingColumns}
      firstSort="name"
      wordsOf={() => []}
      none={{ title: texts.none, text: mayDo("editor") ? texts.noneText : texts.noneToView }}
    />
  );
}

function newAction(target: string) {
  if (!mayDo("editor")) return null;
  return (
    <Button kind="primary" icon="plus" onClick={() => void createMapping(target)}>
      {texts.create}
    </Button>
  );
}
