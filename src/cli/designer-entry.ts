/** Where the designer's server begins. */
import { existsSync } from "node:fs";
import { packageRoot } from "./package-root.ts";

/** The sources where there are some: they build the page when it is older than they are. An installed package has a bundle. */
export function designerEntry(): URL {
  const sources = new URL("designer/server/main.ts", packageRoot);
  return existsSync(sources) ? sources : new URL("dist/designer/installed.js", packageRoot);
}
