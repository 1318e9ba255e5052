/** What the command palette offers beside screens: actions of the page, of the screen that is open, and flows. */
import type { IconName } from "../ui/icons.ts";
import { createStore } from "../ui/store.ts";

export interface Command {
  /** The same for the same command; the palette shows it once. */
  readonly id: string;
  readonly title: string;
  /** Further words by which it is found. */
  readonly words?: string | undefined;
  /** What the command belongs to, shown beside it. */
  readonly group: string;
  readonly icon: IconName;
  /** The shortcut that does the same. */
  readonly keys?: string | undefined;
  readonly run: () => void;
}

const offers = createStore<readonly (() => readonly Command[])[]>([]);

/** Offers commands as long as a screen is there; they are asked for when the palette opens. @returns takes them back */
export function offerCommands(offer: () => readonly Command[]): () => void {
  offers.set((before) => [...before, offer]);
  return () => offers.set((before) => before.filter((one) => one !== offer));
}

/** All commands, those of the screen that was opened last first. */
export function commandsNow(): readonly Command[] {
  const all = offers
    .get()
    .toReversed()
    .flatMap((offer) => offer());
  return [...new Map(all.toReversed().map((command) => [command.id, command])).values()].toReversed();
}
