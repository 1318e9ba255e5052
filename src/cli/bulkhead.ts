/** Process entry of `bulkhead`. A start of the runtime loads nothing of the other commands, and these nothing of the runtime. */
import { forRuntime } from "./first-word.ts";

const given = process.argv.slice(2);
const handedOver = forRuntime(given);
if (handedOver === undefined) void import("./program.ts").then(({ runProcess }) => runProcess(given));
else {
  // The runtime's entry reads the command line of the process. It is a file of its own, which a bundle finds beside itself.
  process.argv.splice(2, given.length, ...handedOver);
  const entry = import.meta.url.endsWith(".js") ? "./main.js" : "../control/main.ts";
  void import(new URL(entry, import.meta.url).href);
}
