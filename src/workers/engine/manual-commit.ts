/** A message's own say in whether its position is committed (Camel: KafkaManualCommit): `${header.CamelKafkaManualCommit.commit()}`. */

export class ManualCommit {
  #commit: (() => void) | undefined;

  constructor(commit: () => void) {
    this.#commit = commit;
  }

  /** Only the first call has an effect. */
  commit(): void {
    this.#commit?.();
    this.#commit = undefined;
  }
}
