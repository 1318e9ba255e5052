/** Connections as documents beside the flows. */

/** An entry of `GET /designer/connections`: the file `documents/connections/<name>.json` beside the flows. */
export interface ConnectionDocument {
  readonly name: string;
  /** null: it cannot be read, for the reason that `problem` has. */
  readonly document: Readonly<Record<string, unknown>> | null;
  readonly problem?: string;
}
