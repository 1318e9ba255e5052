/** The places where a step can be added, by their names. */
import type { EditorSession } from "../session/session.ts";
import type { Place } from "./paths.ts";
import { placeBefore, placeBehind, placeInside } from "./places.ts";

export const insertPlaces: Readonly<Record<string, (session: EditorSession) => Place | undefined>> = {
  behind: placeBehind,
  before: placeBefore,
  inside: placeInside,
};
