/** The mappings that one thread has: what is new for it, and whether it has taken what it was sent. */
import type { MappingData, MappingKey, MappingVersion } from "../../../shared/mapping.ts";

export interface MappingsUpdate {
  readonly sequence: number;
  readonly changed: readonly MappingData[];
  readonly gone: readonly MappingKey[];
}

export class ThreadMappings {
  /** Of what was sent last: one list for all runs that begin until the next update. */
  versions: readonly MappingVersion[] = [];
  #sequence = 0;
  #taken = 0;
  #waiting: { readonly sequence: number; readonly resolve: () => void }[] = [];

  /** With the flow, when it was adopted. */
  given(mappings: readonly MappingData[]): void {
    this.versions = mappings.map(versionOf);
  }

  /** undefined: the thread has been sent these already. */
  update(mappings: readonly MappingData[]): MappingsUpdate | undefined {
    const before = new Map(this.versions.map((version) => [nameOf(version), version.revision]));
    const changed = mappings.filter((mapping) => before.get(nameOf(mapping)) !== mapping.revision);
    for (const mapping of mappings) before.delete(nameOf(mapping));
    const gone = this.versions.filter((version) => before.has(nameOf(version))).map(({ kind, id }) => ({ kind, id }));
    if (changed.length + gone.length === 0) return undefined;
    this.given(mappings);
    this.#sequence += 1;
    return { sequence: this.#sequence, changed, gone };
  }

  /** undefined: it has taken all that it was sent. Resolves when it has, or is gone. */
  pending(): Promise<void> | undefined {
    const sequence = this.#sequence;
    if (this.#taken === sequence) return undefined;
    return new Promise((resolve) => this.#waiting.push({ sequence, resolve }));
  }

  /** The thread tells that it has taken this update, and so all before it. */
  taken(sequence: number): void {
    if (sequence > this.#sequence) throw new Error("it has taken mappings that it was not sent");
    this.#taken = Math.max(sequence, this.#taken);
    for (const one of this.#waiting) if (one.sequence <= sequence) one.resolve();
    this.#waiting = this.#waiting.filter((one) => one.sequence > sequence);
  }

  /** The thread is gone: nobody waits for it. */
  end(): void {
    this.taken(this.#sequence);
  }
}

function nameOf({ kind, id }: MappingKey): string {
  return `${kind} ${id}`;
}

function versionOf({ kind, id, revision, hash }: MappingVersion): MappingVersion {
  return { kind, id, revision, hash };
}
