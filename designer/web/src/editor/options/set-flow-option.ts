/** Changes the options of a flow, its companion file. */
import type { EditorSession } from "../session/session.ts";

/** `undefined`, and a map without entries, remove the option; one that is set keeps its place. */
export function setFlowOption(session: EditorSession, name: string, value: unknown): void {
  const { options } = session.get();
  const isNothing = value === undefined || (isMap(value) && Object.keys(value).length === 0);
  const next = { ...options, [name]: value };
  session.setOptions(isNothing ? Object.fromEntries(Object.entries(next).filter(([key]) => key !== name)) : next);
}

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
