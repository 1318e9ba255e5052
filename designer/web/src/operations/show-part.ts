/** Goes to a part of the screen, with what else its address has. */
import { hashOf } from "../app/hash.ts";

/** Empty values are left out of the address. */
export function showPart(tab: string, query: Readonly<Record<string, string>> = {}): void {
  const filled = Object.entries(query).filter(([, value]) => value !== "");
  location.hash = hashOf(["operations"], Object.fromEntries([["tab", tab], ...filled]));
}
