/** One limit as a row of the table. */

type Unit = "bytes" | "ms" | "count";

export interface LimitRow {
  readonly default: number;
  readonly unit: Unit;
  readonly docs: string;
  /** Present: a flow's `limits` may override it, up to this ceiling (`LIMIT_<NAME>_CEILING`). */
  readonly ceiling?: number;
  /** Absent: 1. */
  readonly least?: 0;
}

export type LimitRows = Readonly<Record<string, LimitRow>>;

export const KiB = 1024;
export const MiB = 1024 * KiB;
