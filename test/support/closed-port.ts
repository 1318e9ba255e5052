/** A port of this machine that refuses connections: tcpmux, which nothing uses. A port that was free a moment ago may be lent to another process. */
export const closedPort = 1;
