/** What a browser keeps between visits, such as the theme. Without storage (private windows, policies) nothing is kept. */
const prefix = "bulkhead.";

export function readKept(name: string): string | undefined {
  try {
    return localStorage.getItem(prefix + name) ?? undefined;
  } catch {
    return undefined;
  }
}

export function writeKept(name: string, value: string): void {
  try {
    localStorage.setItem(prefix + name, value);
  } catch {
    // Only the next visit misses it.
  }
}
