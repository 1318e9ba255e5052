/** A record that is sent, and what the broker confirms. */

export interface OutRecord {
  readonly topic: string;
  /** Absent: by the key. */
  readonly partition: number | undefined;
  readonly key: Buffer | null;
  /** null: marks the key as deleted in a compacted topic. */
  readonly value: Buffer | null;
  readonly headers: readonly (readonly [name: Buffer, value: Buffer])[];
  /** Absent: now. */
  readonly timestamp: bigint | undefined;
}

/** Where a record was written. -1: the broker does not say. */
export interface Confirmed {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly timestamp: bigint;
}

/** About what a record takes beside its key, its value and its headers, with the head of its batch. */
const ownBytes = 70;

/** Returns about how many bytes a record takes in a request. */
export function bytesOf({ key, value, headers }: OutRecord): number {
  const ofHeaders = headers.reduce((sum, [name, text]) => sum + name.length + text.length + 10, 0);
  return ownBytes + (key?.length ?? 0) + (value?.length ?? 0) + ofHeaders;
}
