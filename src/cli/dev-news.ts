/** Deployments and refusals, as `run --dev` shows them among the lines of the log. */
import type { Terminal } from "./terminal.ts";
import { shortTime } from "./times.ts";

export interface News {
  /** The flow or the document. */
  readonly name: string;
  readonly good: boolean;
  readonly text: string;
  /** RFC 3339; absent: now. */
  readonly ts?: string;
}

export function sayNews({ paint, say }: Terminal, { name, good, text, ts }: News): void {
  const mark = good ? paint(["bold", "green"], "✓    ") : paint(["bold", "red"], "✗    ");
  const time = shortTime(ts ?? new Date().toISOString());
  say(`${paint("dim", time)} ${mark} ${paint("bold", name.padEnd(20))} ${text}`);
}
