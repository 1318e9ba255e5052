/** The terminal to which `bulkhead test` writes. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly colours: boolean;
  readonly say: (line: string) => void;
  readonly complain: (line: string) => void;
  /** `stop` is called when the process has to end. */
  readonly onStop: (stop: () => Promise<void>) => void;
}
