/** What a store gives a backup: all that it keeps of a resource, file by file, as of one moment. */

/** A file of a store. */
export interface StoredFile {
  /** From ROUTES_DIR or DATA_DIR on: `routes/orders.yaml`, `data/flows/orders/8.json`. */
  readonly path: string;
  readonly content: Uint8Array;
}

/** Something that lies among a store's files and is none of them. */
export interface LeftOut {
  readonly name: string;
  readonly reason: string;
}

export interface BackedUp {
  /** Lists the ids of what is kept, those of removed resources included. */
  survey(): Promise<{ readonly ids: readonly string[]; readonly leftOut: readonly LeftOut[] }>;
  /** Reads the files of one id, none when nothing is kept of it any more. No change of a flow may be under way. */
  files(id: string): Promise<readonly StoredFile[]>;
}
