/** The text of a new flow. */
import { stringify } from "yaml";

/** Returns one route with a webhook and no steps yet: it answers `ok`. */
export function freshFlow(id: string, description = ""): string {
  const described = description === "" ? {} : { description };
  return stringify([{ route: { id, ...described, from: { uri: "webhook", steps: [] } } }], { lineWidth: 0 });
}
