/** What a page and the holder of its event streams send each other. */
import type { Batch, Connection } from "./event-streams.ts";
import type { StreamSource } from "./sources.ts";

export type ToHub =
  /** The page holds this lock as long as it is open. */
  | { readonly kind: "page"; readonly lock: string }
  /** `id`: of the page's choice. */
  | { readonly kind: "follow"; readonly id: number; readonly source: StreamSource }
  | { readonly kind: "leave"; readonly id: number }
  /** The page has drawn a batch: the next one may come. */
  | { readonly kind: "drawn"; readonly id: number };

export type FromHub =
  /** The hub holds this lock as long as it runs. */
  | { readonly kind: "hub"; readonly lock: string }
  | { readonly kind: "batch"; readonly id: number; readonly batch: Batch<unknown> }
  | { readonly kind: "connection"; readonly id: number; readonly connection: SentConnection };

/** Errors have no class any more when they have been sent. */
export type SentConnection =
  | Exclude<Connection, { readonly kind: "refused" }>
  | { readonly kind: "refused"; readonly status: number; readonly message: string };
