/** What a session's documents may hold, for their reading and for the document that describes them. Lengths are in characters. */

export const leastTtlMs = 1000;
export const mostTimeoutMs = 2_147_483_647;
export const mostUri = 2000;
/** Of ids that name what is there. */
export const mostName = 128;
export const mostSessionName = 200;
export const mostAssertions = 3000;
export const mostNotes = 100;
export const mostNote = 2000;

/** Padded, and with no bits beyond the last byte, so that there is one way to write bytes. */
export const base64Pattern = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$";
