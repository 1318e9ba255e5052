/** What a thread reports, before a run's result, of the run's steps that have failed; read as from a stranger. */
import type { Limits } from "../../shared/limits.ts";
import type { MessagePreview } from "../../shared/protocol.ts";
import { readFailedPreview, stepOf, text, whole } from "./thread-frames.ts";

export interface FailedSteps {
  readonly count: number;
  /** The last of them; -1: none is known. */
  readonly step: number;
  /** The message as that step received it. */
  readonly preview: MessagePreview | null;
}

/** `at` is the index of a `failed` frame's first field. */
export function readFailed(frames: readonly unknown[], at: number, limits: Limits): FailedSteps {
  const preview = text(frames[at + 3], "a preview");
  return {
    count: whole(frames[at + 1], "steps that failed"),
    step: stepOf(frames[at + 2]),
    preview: preview === "" ? null : readFailedPreview(JSON.parse(preview), limits),
  };
}
