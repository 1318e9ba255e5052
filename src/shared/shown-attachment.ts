/** An attachment as records, previews and trace events show it: without its bytes. */
export interface ShownAttachment {
  /** The name by which the message has it. */
  readonly name: string;
  /** Absent: a part that was no file. */
  readonly fileName?: string;
  /** As it came, with its parameters. */
  readonly contentType: string;
  readonly bytes: number;
}

/** Returns the length of their texts. */
export function lengthOfAttachments(shown: readonly ShownAttachment[] = []): number {
  return shown.reduce((sum, one) => sum + one.name.length + (one.fileName?.length ?? 0) + one.contentType.length, 0);
}
