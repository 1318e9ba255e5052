/** Process entry of `bulkhead`. A start of the runtime loads nothing of the other commands, and these nothing of the runtime. */
import { forDesigner, forRuntime } from "./first-word.ts";
import { endWithParent } from "./parent.ts";

endWithParent();
const given = process.argv.slice(2);
const [runtime, designer] = [forRuntime(given), forDesigner(given)];
if (runtime !== undefined) {
  // A file of its own, which a bundle finds beside itself.
  hand(runtime, new URL(import.meta.url.endsWith(".js") ? "./main.js" : "../control/main.ts", import.meta.url));
} else if (designer !== undefined) {
  void import("./designer-entry.ts").then(({ designerEntry }) => hand(designer, designerEntry()));
} else void import("./program.ts").then(({ runProcess }) => runProcess(given));

/** An entry reads the command line of the process. */
function hand(args: readonly string[], entry: URL): void {
  process.argv.splice(2, given.length, ...args);
  void import(entry.href);
}
