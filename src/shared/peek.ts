/** Messages of a consumer's queue or topic that are looked at without being taken, as a flow's thread and control exchange them. */
import type { MessagePreview } from "./protocol.ts";

/** The most messages of one look. */
export const mostPeeked = 50;
/** The most bytes that are shown of each. */
export const peekedBytes = 4096;

/** A message as it is shown: secrets are masked, and what is long is cut. */
export type PeekedPreview = Pick<MessagePreview, "headers" | "body" | "bodyType"> & {
  /** Where it stands, as its server names it, such as `orders/0/17`; null: it has no such name. */
  readonly at: string | null;
  /** Why the route could not read it; null: it can. */
  readonly unreadable: string | null;
};

export type PeekAnswer = { readonly messages: readonly PeekedPreview[] } | { readonly failure: string };
