/** Opens a message mapping. */
import { mappingPlace } from "../mappings/mapping-place.tsx";
import { MappingEditor } from "./mapping-editor.tsx";
import { MappingSession } from "./session.ts";

export const MessageMappingPlace = mappingPlace({
  kind: "message",
  make: (ref, base) => new MappingSession(ref, base),
  Editor: MappingEditor,
});
