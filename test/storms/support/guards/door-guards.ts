/** Guards against clients that write much at once and read little. */
import type { Guard } from "./guard.ts";

export const doorGuards: readonly Guard[] = [
  {
    name: "requests of a connection wait for each other",
    file: "src/control/http/pipeline.ts",
    from: "    if (this.idle) {",
    to: "    if (this.idle || this.response !== undefined) {",
    suite: ["test/control/http/pipelining.test.ts"],
  },
  {
    name: "few requests of a connection wait",
    file: "src/control/http/pipeline.ts",
    from: "&& this.#waiting.length <= this.#most;",
    to: "&& this.#waiting.length <= this.#most * 1000;",
    suite: ["test/control/http/pipelining.test.ts"],
  },
  {
    name: "few requests of all connections wait",
    file: "src/control/http/pipeline.ts",
    from: "return this.#waiting <= this.#most;",
    to: "return this.#waiting <= this.#most * 1000;",
    suite: ["test/control/http/pipelining.test.ts"],
  },
  {
    name: "a gate that is full reads no more",
    file: "src/control/http/connection-guards.ts",
    from: "return this.#held.length >= mostHeld;",
    to: "return this.#held.length >= mostHeld * 1000;",
    suite: ["test/control/http/pipelining.test.ts"],
  },
  {
    name: "tiny chunks are noticed",
    file: "src/control/http/server.ts",
    from: "IncomingMessage: countedRequest(gateAll),",
    to: "IncomingMessage: countedRequest(() => {}),",
    suite: ["test/control/http/tiny-chunks.test.ts"],
  },
  {
    name: "a Host is a host",
    file: "src/control/http/bad-requests.ts",
    from: "if (!isHost(host)) return",
    to: "if (host.length > 1000 && !isHost(host)) return",
    suite: ["test/control/http/host.test.ts"],
  },
  {
    name: "the open health report is not made for every caller",
    file: "src/control/api/health.ts",
    from: "now - made.at < everyMs",
    to: "now < made.at",
    suite: ["test/control/api/health.test.ts"],
  },
];
