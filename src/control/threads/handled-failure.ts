/** A failure that a flow handled itself, read as from a stranger (thread-frames.ts). */
import type { Frames } from "../../shared/frame-shape.ts";
import { controlFields } from "../../shared/frames-to-control.ts";
import type { RemoteAnswer } from "../../shared/protocol.ts";
import { cutTo, mostName, readRemoteAnswer } from "./thread-frames.ts";

const { handled } = controlFields;

export interface HandledFailure {
  /** Index into the flow's step table: where the failure came from; -1: no step. */
  readonly step: number;
  readonly type: string;
  readonly message: string;
  /** What handled it: the construct and the line where it begins. */
  readonly by: string;
  /** What the server answered that the call failed with. */
  readonly detail: RemoteAnswer | null;
}

/** Of a message that its thread has cut, how much more than a name is let through: the note that says so. */
const cutMark = 64;

/** `at`: index of the frame's number. */
export function readHandled(frames: Frames, at: number): HandledFailure {
  const answer = handled.answer(frames, at);
  return {
    step: handled.step(frames, at),
    type: cutTo(handled.type(frames, at), mostName),
    message: cutTo(handled.message(frames, at), mostName + cutMark),
    by: cutTo(handled.by(frames, at), mostName),
    detail: answer === "" ? null : readRemoteAnswer(JSON.parse(answer)),
  };
}
