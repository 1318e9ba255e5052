/** What a node says: its icon, its title and a line below. */
import type { OtherNode, StepNode, TriggerNode } from "../../model/index.ts";
import { words } from "../../words.ts";
import { endpointTitle, schemeOf, titleOf } from "../titles.ts";

export interface NodeText {
  readonly icon: string;
  readonly title: string;
  readonly brief: string;
}

/** Steps that are known by the component of their address. */
const sending = new Set(["to", "toD", "tod"]);

export function textOfStep({ name, id, idKey, description, uri, brief: written }: StepNode): NodeText {
  // The id has a place of its own.
  const brief = idKey === "id" && written === id ? "" : written;
  const isSending = uri !== undefined && sending.has(name);
  const own = isSending ? endpointTitle(uri) : titleOf(name);
  const icon = isSending ? schemeOf(uri) : name;
  const about = uri ?? (brief === "" ? "" : oneLine(brief));
  if (description === undefined) return { icon, title: name === "" ? words.canvas.unreadable : own, brief: about };
  return { icon, title: oneLine(description), brief: about === "" ? own : about };
}

export function textOfTrigger({ uri, description }: TriggerNode): NodeText {
  const own = uri === "" ? words.canvas.noTrigger : endpointTitle(uri);
  return { icon: schemeOf(uri) === "kamelet" ? "from" : schemeOf(uri), title: description ?? own, brief: uri };
}

export function textOfOther({ name, id, brief }: OtherNode): NodeText {
  return { icon: name, title: titleOf(name), brief: brief === id ? "" : oneLine(brief) };
}

/** Long texts are cut by the page; what counts is that they are one line. */
function oneLine(text: string): string {
  return text.slice(0, 200).replaceAll(/\s+/g, " ").trim();
}
