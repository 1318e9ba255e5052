/** Storms at the size of a trial. `npm run storm -- <name>` runs one at its full size. */
import type { TrialRow } from "./row.ts";

interface Storm {
  readonly docs: string;
  /** Makes it short enough: most storms take one to five minutes here. */
  readonly args?: readonly (string | number)[];
  /** What of src the processes run that it starts. */
  readonly folders: readonly string[];
  readonly needs?: string;
}

const control = (...parts: readonly string[]): readonly string[] => parts.map((part) => `src/control/${part}/**`);
const engine = ["src/workers/engine/**", "src/workers/compile/**"];
const seam = [
  "src/workers/engine/**",
  "src/workers/components/**",
  "src/workers/connectors/**",
  "src/control/connections/**",
];

const storms: Readonly<Record<string, Storm>> = {
  kills: {
    docs: "The server is killed again and again while clients change flows, mappings and policies. After each kill the disk, the lists and the flows' answers are compared with what was acknowledged.",
    args: [20, 5000],
    folders: control("stores", "flows", "mappings", "access"),
  },
  deployments: {
    docs: "The server is killed while sets of flows, mappings and policies are deployed. After each kill one set must be there as a whole.",
    args: [12],
    folders: control("deployments", "stores", "flows"),
  },
  failpoints: {
    docs: "The server is killed before and after each operation on the disk, in every kind of change, in the undoing of a failed change, and at boot.",
    args: ["", 4],
    folders: control("stores", "flows"),
  },
  "crash-states": {
    docs: "A model of the disk leaves every state that a loss of power may leave, at every operation of sequences of changes. Each state is booted and compared with what was acknowledged. Each sync is left out once, which a check must notice. The model does not cover a disk that lies about a sync.",
    args: [1],
    folders: [],
  },
  redeploy: {
    docs: "A flow is replaced, stopped, started and deleted under keep-alive load, beside refused PUTs and a timer. No call may fail, and no tick may be lost.",
    args: [30],
    folders: [...control("flows", "threads", "runs", "triggers"), ...engine],
  },
  shutdown: {
    docs: "SIGTERM under load, during PUTs, during the boot, and twice. What was accepted is answered.",
    args: [6],
    folders: [...control("http", "triggers", "flows", "runs"), "src/control/*.ts"],
  },
  corpus: {
    docs: "The corpus of bad input over sockets and fetch, several times over: each answer is the documented one, the process stays, and its memory comes back.",
    args: [5],
    folders: control("http", "api", "triggers"),
  },
  fuzz: {
    docs: "Random bytes, targets, flow documents, and requests made from the OpenAPI document. No answer is a server error or undocumented.",
    args: [2000],
    folders: [...control("http", "api"), "src/workers/check/**"],
  },
  streams: {
    docs: "A thousand readers of both event streams; a hundred of them stall, readers reconnect, and a process of 500 readers is killed. Every event is read or reported as dropped.",
    args: [10, 400, 40],
    folders: control("streams", "threads"),
  },
  aborts: {
    docs: "Callers break off their calls while they send, wait and read. Afterwards no run, byte, descriptor or thread is held.",
    args: [3000],
    folders: control("http", "triggers", "runs", "threads"),
  },
  expressions: {
    docs: "Random expressions: the characters that a compile reads grow in proportion to the text, results hold nothing but data, and both regex engines agree.",
    args: [5000],
    folders: [],
  },
  "camel-corpus": {
    docs: "Route files of others go through the check. Each is accepted, or refused with diagnostics that lie inside its text and name each problem once. `CAMEL_CORPUS` names their folder.",
    folders: ["src/workers/check/**"],
    needs: "CAMEL_CORPUS",
  },
  cycles: {
    docs: "A flow is deployed, called and removed again and again, in threads and in host processes. Descriptors, threads, timers and the heap come back.",
    args: [150, 3],
    folders: [...control("flows", "threads", "host", "runs"), ...engine],
  },
  bounds: {
    docs: "Steps do the most they can with the largest body, each in a thread of its own: what ends them, how long it takes, and how much memory they have.",
    args: ["split", 10],
    folders: [...engine, "src/workers/steps/**", "src/workers/languages/**"],
  },
  soak: {
    docs: "Load, timers, readers and replacements at once. The heap does not grow.",
    args: [60],
    folders: [...control("flows", "threads", "runs", "streams"), ...engine],
  },
  mappings: {
    docs: "Versions of a large value mapping in a flow that runs, and many versions of a small one under load. No answer mixes two versions.",
    args: [100_000, 4, 100],
    folders: [...control("mappings"), "src/workers/mappings/**"],
  },
  sessions: {
    docs: "Random test sessions are opened, used and closed under load, while their flow is replaced and its threads are killed. No live call is mocked, and every count agrees.",
    args: [100],
    folders: [...control("runs"), "src/workers/mocks/**", "src/workers/testing/**"],
  },
  pressure: {
    docs: "Many flows lose their threads at the same moment and are called again at once. All answer, and a bystander notices nothing.",
    args: [20, 2],
    folders: control("threads", "flows"),
  },
  door: {
    docs: "A flow under steady load beside 200 connections of each kind of impolite client. Its p99 is at most twice that beside polite clients.",
    args: [3, 2],
    folders: control("http", "triggers"),
  },
  state: {
    docs: "The server is killed while its flows keep keys, groups and failed messages. No key is forgotten, no message is lost, and none is processed twice without a reason.",
    args: [12],
    folders: [...control("state", "runs"), "src/workers/engine/**", "src/workers/steps/aggregate/**"],
  },
  databases: {
    docs: "A flow copies rows from table to table on real servers while runs fail, threads are lost, and the runtime and the server are killed. No row is lost.",
    args: [30, 42],
    folders: [...seam, ...control("state")],
  },
  brokers: {
    docs: "Flows take the messages of one server and send them to the next while runs fail, threads are lost, and the runtime and either server are ended. No message is lost.",
    args: [30, 42],
    folders: [...seam, ...control("state")],
  },
  hostile: {
    docs: "Hostile flows run beside a webhook, a timer, a chain of flows and the control plane, which are probed meanwhile. Each is stopped as documented.",
    args: ["quick", "thread"],
    folders: [...control("threads", "runs"), "src/workers/**"],
  },
  guards: {
    docs: "Each guard of the runtime is taken away, one at a time. Its tests must fail without it.",
    folders: [],
  },
  mutations: {
    docs: "Texts of flows with something changed in them: each is refused at a place inside its text, or compiles and runs.",
    args: [5000],
    folders: [],
  },
  failed: {
    docs: "The server is killed while messages fail, end in a dead letter channel and are retried. Each acknowledged message is taken, and is taken twice only if a kill interrupted its run.",
    args: [12],
    folders: control("state", "runs"),
  },
};

export const stormRows: readonly TrialRow[] = Object.entries(storms).map(
  ([name, { docs, args = [], folders, needs }]) => ({
    name: `storm-${name}`,
    docs,
    command: ["run", "storm", "--", name, ...args.map(String)],
    files: [`test/storms/${name}.storm.ts`],
    folders,
    ...(needs !== undefined && { needs }),
  }),
);
