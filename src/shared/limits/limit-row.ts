/** The definition of one limit. */

type Unit = "bytes" | "ms" | "count";

export interface LimitRow {
  readonly default: number;
  readonly unit: Unit;
  readonly docs: string;
  /** Present: a flow's `limits` may override it, up to this ceiling (`LIMIT_<NAME>_CEILING`). */
  readonly ceiling?: number;
  /** The least value; absent: 1. */
  readonly least?: 0;
}

export type LimitRows = Readonly<Record<string, LimitRow>>;

export const KiB = 1024;
export const MiB = 1024 * KiB;
