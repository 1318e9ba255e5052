/** Keys that tenants' messages make, for maps that are kept: a long one is kept as its digest. */

const longest = 256;

export function boundedKey(text: string): string {
  if (text.length <= longest) return `=${text}`;
  const { createHash } = process.getBuiltinModule("node:crypto");
  return `#${createHash("sha256").update(text).digest("base64")}`;
}
