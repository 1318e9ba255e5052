/** Guards around host processes. */
import type { Guard } from "./guard.ts";

const hostProcess = "src/control/threads/hosts/host-process.ts";
const hosts = ["test/control/isolation/hosts.test.ts"];
const givenUp = ["test/control/isolation/given-up.test.ts"];

export const hostGuards: readonly Guard[] = [
  {
    name: "a host process has Node's permissions",
    file: "src/control/threads/local/thread-flags.ts",
    from: '      "--permission",\n      "--allow-worker",\n',
    to: '      "--allow-worker",\n',
    suite: ["test/control/isolation/host-reach.test.ts"],
  },
  {
    name: "a host process reads the runtime's code alone",
    file: "src/control/threads/local/thread-flags.ts",
    from: "...codeOf(entry).map",
    to: '...[...codeOf(entry), "/proc/self/task/*"].map',
    suite: ["test/control/isolation/host-reach.test.ts"],
  },
  {
    name: "a host process's environment is empty",
    file: hostProcess,
    from: "      env,\n",
    to: "      env: process.env,\n",
    suite: hosts,
  },
  {
    name: "a host process that is silent is ended",
    file: hostProcess,
    from: "if (this.#silentLooks * watchMs > hostSilentMs)",
    to: "if (this.#silentLooks > 1e9)",
    suite: hosts,
  },
  {
    name: "a host process has a limit of memory",
    file: hostProcess,
    from: "if (this.memoryBytes > hostMemoryBytes) {",
    to: "if (this.memoryBytes > 1e18) {",
    suite: hosts,
  },
  {
    name: "a host process ends with its line",
    file: "src/control/host-process.ts",
    from: '  process.kill(process.pid, "SIGKILL");\n',
    to: "",
    suite: hosts,
  },
  {
    name: "what a host process does not read is not sent without end",
    file: "src/control/threads/hosts/remote-line.ts",
    from: "this.#wasChoked = this.#line.choked;",
    to: "this.#wasChoked = false;",
    suite: givenUp,
  },
  {
    name: "a host process that sends bad frames is ended",
    file: "src/control/threads/hosts/host-socket.ts",
    from: "if (body > mostFrameBytes) throw",
    to: "if (body > 1e18) throw",
    suite: givenUp,
  },
  {
    name: "a host process with a thread in native code is ended",
    file: "src/control/threads/hosts/remote-thread.ts",
    from: "if (why !== undefined) this.#line.leave",
    to: 'if (why === "") this.#line.leave',
    suite: givenUp,
  },
  {
    name: "flows of a host process that is given up are not to blame",
    file: hostProcess,
    from: "asked || this.#leaving ? nobody",
    to: "asked ? nobody",
    suite: givenUp,
  },
  {
    name: "flows that waited in a host process that died are not to blame",
    file: "src/control/threads/hosts/host-end.ts",
    from: "thread.hot && thread.cpuShare >= most / 2",
    to: "thread.cpuShare >= 0",
    suite: givenUp,
  },
  {
    name: "host processes that do not last are followed later",
    file: "src/control/threads/hosts/host-places.ts",
    from: "this.#failures < freeFailures ? 0",
    to: "this.#failures < 1e9 ? 0",
    suite: givenUp,
  },
];
