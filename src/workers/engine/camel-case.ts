/** `set-body` -> `setBody` */
export function toCamelCase(key: string): string {
  return key.replaceAll(/-([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
