/** Where it is written down how far runs have come, for whoever asks while they are under way. Each costs a few words. */
export interface RunProgress {
  /** A step begins; `executed` counts it. */
  entered(slot: number, executed: number): void;
  /** A step has failed; `failed` counts it. */
  failed(slot: number, failed: number): void;
  /** A stretch of synchronous work begins, in `performance.now()` time. */
  working(slot: number, now: number): void;
  /** It is over, and has taken `ms`. */
  worked(slot: number, ms: number): void;
  /** A split begins; undefined: how many parts it has is not known. false: one that is under way in the run is counted already. */
  beginSplit(slot: number, parts: number | undefined): boolean;
  /** Of the split that is counted: a part has ended; all have. */
  tookPart(slot: number): void;
  endSplit(slot: number): void;
}
