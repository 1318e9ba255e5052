/** What a thread reports, before a run's result, of the run's steps that have failed; read as from a stranger. */

import type { Frames } from "../../shared/frame-shape.ts";
import { controlFields } from "../../shared/frames-to-control.ts";
import type { Limits } from "../../shared/limits.ts";
import type { MessagePreview } from "../../shared/protocol.ts";
import { readFailedPreview } from "./thread-frames.ts";

const { failed } = controlFields;

export interface FailedSteps {
  readonly count: number;
  /** The last of them; -1: none is known. */
  readonly step: number;
  /** The message as that step received it. */
  readonly preview: MessagePreview | null;
}

/** `at`: index of the frame's number. */
export function readFailed(frames: Frames, at: number, limits: Limits): FailedSteps {
  const preview = failed.preview(frames, at);
  return {
    count: failed.count(frames, at),
    step: failed.step(frames, at),
    preview: preview === "" ? null : readFailedPreview(JSON.parse(preview), limits),
  };
}
