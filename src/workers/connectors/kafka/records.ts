/** Records as fetched: those of a partition from a position on, without markers of transactions and what was aborted. */
import { IS_CONTROL, type RecordsBatch } from "./library.ts";

export interface InRecord {
  readonly offset: bigint;
  readonly timestamp: bigint;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: readonly (readonly [name: Buffer | null, value: Buffer | null])[];
}

interface Aborted {
  readonly producerId: bigint;
  readonly firstOffset: bigint;
}

const byLogAppendTime = 1 << 3;
const isTransactional = 1 << 4;

/** Returns the records from `position` on, and the position behind them. `aborted`: of a fetch of committed records. */
export function readRecords(
  batches: readonly RecordsBatch[],
  position: bigint,
  aborted: readonly Aborted[],
): { readonly records: readonly InRecord[]; readonly next: bigint } {
  const records: InRecord[] = [];
  const open = new Set<bigint>();
  const coming = aborted.toSorted((a, b) => Number(a.firstOffset - b.firstOffset));
  let next = position;
  for (const batch of batches) {
    const last = batch.firstOffset + BigInt(batch.lastOffsetDelta);
    while (coming[0] !== undefined && coming[0].firstOffset <= last) open.add(coming.shift()?.producerId ?? -1n);
    if (last >= next) next = last + 1n;
    if ((batch.attributes & IS_CONTROL) !== 0) {
      // The second half of the key is its type: 0 aborts.
      if (batch.records[0]?.key?.readInt16BE(2) === 0) open.delete(batch.producerId);
      continue;
    }
    if ((batch.attributes & isTransactional) !== 0 && open.has(batch.producerId)) continue;
    for (const { offsetDelta, timestampDelta, key, value, headers } of batch.records) {
      const offset = batch.firstOffset + BigInt(offsetDelta);
      if (offset < position) continue;
      const isAppendTime = (batch.attributes & byLogAppendTime) !== 0;
      const timestamp = isAppendTime ? batch.maxTimestamp : batch.firstTimestamp + timestampDelta;
      records.push({ offset, timestamp, key, value, headers });
    }
  }
  return { records, next };
}
