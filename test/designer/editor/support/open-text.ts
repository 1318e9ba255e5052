import { EditorSession } from "../../../../designer/web/src/editor/session/session.ts";

/** Opens a text as the flow `orders` of a workspace. */
export function openText(yaml: string): EditorSession {
  return new EditorSession({
    ...{ id: "orders", name: "orders", category: null, draft: false, hash: "", optionsHash: "", modified: "" },
    ...{ etag: '"1"', deployed: {}, mappings: [], failed: {}, yaml, options: {} },
  });
}
