/** Puts another version of the open flow in place of what is edited. */
import type { Content } from "../../deploy/check.ts";
import type { EditorSession } from "../session/session.ts";

/** Undo brings the text back; `label` says what it takes back. */
export function takeContent(session: EditorSession, { yaml, options }: Content, label: string): void {
  session.replaceAll(yaml, label);
  session.setOptions(options);
}
