/** What a thread has recorded of a step, kept as the JSON that it sent; messages are parsed when they are read. */
import { parseJson } from "../../shared/json.ts";
import type { RecordedError, RecordedMessage, StepRecord, WireStep } from "../../shared/mock.ts";
import { readShownAttachments } from "./sent-attachments.ts";

export class KeptMessage {
  readonly text: string;
  #read: WeakRef<RecordedMessage> | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The parsed message: the same object while it is referenced elsewhere. undefined: the text is no message. */
  get message(): RecordedMessage | undefined {
    const read = this.#read?.deref();
    if (read !== undefined) return read;
    const message = messageOf(this.text);
    if (message !== undefined) this.#read = new WeakRef(message);
    return message;
  }
}

export class KeptStep implements StepRecord {
  readonly timing: number;
  readonly mocked: true | undefined;
  readonly outbound: true | undefined;
  readonly omitted: true | undefined;
  readonly sameBody: true | undefined;
  readonly uri: string | undefined;
  readonly error: RecordedError | undefined;
  readonly received: KeptMessage | undefined;
  readonly sent: KeptMessage | undefined;

  constructor(
    { timing, mocked, outbound, omitted, sameBody, uri }: Omit<WireStep, "in" | "out" | "error">,
    received: KeptMessage | undefined,
    sent: KeptMessage | undefined,
    error: RecordedError | undefined,
  ) {
    this.timing = timing;
    this.mocked = mocked;
    this.outbound = outbound;
    this.omitted = omitted;
    this.sameBody = sameBody;
    this.uri = uri;
    this.received = received;
    this.sent = sent;
    this.error = error;
  }

  get in(): RecordedMessage | undefined {
    return this.received?.message;
  }

  get out(): RecordedMessage | undefined {
    return this.sent?.message;
  }
}

/** The estimated bytes of a step without its texts. */
const stepBytes = 120;

/** Returns the estimated memory of steps: a character counts as two bytes, and a message that several steps share counts once. */
export function bytesOf(steps: readonly StepRecord[]): number {
  if (steps.length === 0) return 0;
  const messages = new Set<KeptMessage>();
  let bytes = steps.length * stepBytes;
  for (const step of steps) {
    if (!(step instanceof KeptStep)) continue;
    for (const message of [step.received, step.sent]) if (message !== undefined) messages.add(message);
    bytes += 2 * (step.uri?.length ?? 0);
    if (step.error !== undefined) bytes += 2 * errorCharacters(step.error);
  }
  for (const { text } of messages) bytes += 2 * text.length;
  return bytes;
}

function errorCharacters({ type, message, ...answer }: RecordedError): number {
  return type.length + message.length + JSON.stringify(answer).length;
}

function messageOf(text: string): RecordedMessage | undefined {
  try {
    const message = parseJson(Buffer.from(text)) as Partial<RecordedMessage>;
    const { headers, body, bodyType, encoding, attachments } = message;
    if (typeof bodyType !== "string" || typeof headers !== "object" || headers === null) return undefined;
    if (encoding !== undefined && (encoding !== "base64" || typeof body !== "string")) return undefined;
    if (attachments !== undefined) readShownAttachments(attachments);
    return message as RecordedMessage;
  } catch {
    return undefined;
  }
}
