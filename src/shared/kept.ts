/** A kept message as a check thread gets it to show, and as it is shown. */
import type { RecordedMessage } from "./mock.ts";
import type { BodyKind } from "./protocol.ts";

export interface KeptRequest {
  readonly bodyKind: BodyKind;
  /** As of an invoke frame. */
  readonly headers: string;
  readonly extra: string;
  readonly body: string | Uint8Array | null;
  /** The values of the flow's secrets by name, which are not shown. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The most bytes that are shown. */
  readonly recordedBytes: number;
}

export interface ShownMessage extends RecordedMessage {
  readonly properties: Readonly<Record<string, unknown>>;
}
