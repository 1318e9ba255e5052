/** A kind of connections as a section of a page: its fields, an example, and its options. */
import { type ConnectionKind, expectedOption } from "../src/shared/connections/kind.ts";

export function kindText({
  name,
  title,
  docs,
  port,
  required,
  maxConnections,
  options,
  example,
}: ConnectionKind): string {
  const needs = required.length === 0 ? "" : ` It needs ${required.map((field) => `\`${field}\``).join(" and ")}.`;
  const usual = port === undefined ? "" : ` The usual port is ${port}.`;
  const rows = Object.entries(options).map(([option, field]) => {
    const value = field.default === undefined ? "" : `\`${field.default}\``;
    return `| \`${option}\` | ${expectedOption(field)} | ${value} | ${field.words} |\n`;
  });
  const table = rows.length === 0 ? "" : `| option | | default | |\n|---|---|---|---|\n${rows.join("")}\n`;
  return `### \`${name}\`: ${title}\n\n${docs}${needs}${usual} At most ${maxConnections} connections unless the document says otherwise.\n\n\`\`\`json\n${example}\n\`\`\`\n\n${table}`;
}
