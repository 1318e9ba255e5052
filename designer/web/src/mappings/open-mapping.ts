/** What the parts around an open mapping need of it, whatever its kind. */
import type { Base, MappingRef } from "./base.ts";

export interface MappingNow {
  /** The document as it would be saved. */
  readonly text: string;
  readonly isDirty: boolean;
  /** The text is no JSON. */
  readonly isBroken: boolean;
  readonly base: Base;
}

export interface OpenMapping extends MappingRef {
  readonly subscribe: (listener: () => void) => () => void;
  readonly now: () => MappingNow;
  /** A text as this session would write it, for comparisons. */
  readonly shown: (text: string) => string;
  /** This was written. */
  readonly saved: (base: Base) => void;
  /** Another version was seen: what is edited is to replace that one. */
  readonly based: (base: Base) => void;
  /** Puts another version in place of what is edited; undo brings that back. */
  readonly take: (base: Base, label: string) => void;
}
