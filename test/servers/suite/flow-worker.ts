/** The product's flow thread with two more components, which end the thread and look into it. A name leads to where it must not. */
import type { LookupAddress, LookupAllOptions } from "node:dns";
import { addComponent } from "../../../src/workers/catalog.ts";
import { countPromises } from "./count-promises.ts";
import { loseThread } from "./lose-thread.ts";

addComponent(loseThread);
addComponent(countPromises);

// A bundle has a copy of the module: the product's own code looks names up in the original.
const dns = process.getBuiltinModule("node:dns");
const { lookup } = dns;
/** As whoever answers for a name in DNS may have it: every name below link-local.test is a cloud's metadata. */
Object.defineProperty(dns, "lookup", {
  value(host: string, options: LookupAllOptions, answer: (error: null, found: LookupAddress[]) => void) {
    if (!host.endsWith(".link-local.test")) return lookup(host, options, answer as never);
    answer(null, [{ address: "169.254.169.254", family: 4 }]);
  },
  writable: true,
});

export { attach } from "../../../src/workers/flow-worker.ts";
