/** Edits of a mapping's document that are not made. */
import { words } from "../../words.ts";

export type Refusal = keyof typeof words.messageMappings.refused;

/** Thrown by edits, which change nothing then; `message` says why, and what to do instead. */
export class EditRefused extends Error {
  readonly reason: Refusal;

  constructor(reason: Refusal) {
    super(words.messageMappings.refused[reason]);
    this.name = "EditRefused";
    this.reason = reason;
  }
}
