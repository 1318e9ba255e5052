/** A failure that a flow handled itself, read as from a stranger (thread-frames.ts). */
import type { RemoteAnswer } from "../../shared/protocol.ts";
import { cutTo, mostName, readRemoteAnswer, stepOf, text } from "./thread-frames.ts";

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

/** `at` is the index of a `handled` frame's first field. */
export function readHandled(frames: readonly unknown[], at: number): HandledFailure {
  const answer = text(frames[at + 5], "an answer");
  return {
    step: stepOf(frames[at + 1]),
    type: cutTo(text(frames[at + 2], "an error's type"), mostName),
    message: cutTo(text(frames[at + 3], "an error's message"), mostName + cutMark),
    by: cutTo(text(frames[at + 4], "what handled it"), mostName),
    detail: answer === "" ? null : readRemoteAnswer(JSON.parse(answer)),
  };
}
