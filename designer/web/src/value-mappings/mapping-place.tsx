/** Opens a value mapping. */
import { mappingPlace } from "../mappings/mapping-place.tsx";
import { MappingEditor } from "./mapping-editor.tsx";
import { MappingSession } from "./session.ts";

export const ValueMappingPlace = mappingPlace({
  kind: "value",
  make: (ref, base) => new MappingSession(ref, base),
  Editor: MappingEditor,
});
