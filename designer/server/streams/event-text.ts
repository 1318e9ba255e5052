/** Server-sent events as text (WHATWG HTML, 9.2). */
import type { CarriedEvents, DesignerEvents } from "../../shared/wire.ts";

type Events = DesignerEvents & CarriedEvents;

/** JSON has no line ends, so the data is one line. */
export function eventText<Name extends keyof Events>(name: Name, data: Events[Name]): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
