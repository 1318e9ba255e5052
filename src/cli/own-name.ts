/** How you call this command: in a project that has it as a package, npx finds it. */
import type { Terminal } from "./terminal.ts";

export function ownName(env: Terminal["env"]): string {
  return env["npm_lifecycle_event"] === "npx" ? "npx bulkhead" : "bulkhead";
}
