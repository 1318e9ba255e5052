/** Names of steps, components and options as words: `setBody` is `Set body`, `oauth2ClientId` is `Oauth2 client id`. */
import { words } from "../words.ts";

export function titleOf(name: string): string {
  const own = (words.editor.titles as Readonly<Record<string, string>>)[name];
  if (own !== undefined) return own;
  const parts = name
    .replace(/[._-]+/g, " ")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .trim()
    .split(/\s+/)
    .map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()));
  const text = parts.join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The first word of an option's name, by which options are put into groups: `readLock` of `readLockTimeout`. */
export function firstWord(name: string): string {
  return /^[a-z0-9]+/.exec(name)?.[0] ?? name;
}

/** The component of an endpoint's address: `http` of `http://example.org`, `webhook` of `webhook`. */
export function schemeOf(uri: string): string {
  return /^[^:?/]*/.exec(uri)?.[0] ?? "";
}

/** The title of an endpoint: that of its component, or of its kamelet. */
export function endpointTitle(uri: string): string {
  const kamelet = /^kamelet:([^?/]+)/.exec(uri)?.[1];
  return titleOf(kamelet ?? (schemeOf(uri) || uri));
}
