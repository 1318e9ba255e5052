/** Rows that run tests: those that neither `npm test` nor `.ci/run` runs, coverage, the reverse order, servers and browsers. */
import { inTrials } from "../circles.ts";
import type { TrialRow } from "./row.ts";

const groups: Readonly<Record<string, string>> = {
  cli: "the command line",
  client: "the client and the package",
  control: "the control plane",
  designer: "the designer's server and model",
  "flow-test": "`bulkhead test`",
  hostile: "hostile flows",
  package: "the installed package",
  workers: "the engine",
};

/** What the tests of a group pack and run in processes, which no import shows. */
const packs = ["bin/**", "scripts/{bundle,library-files}.ts", "scripts/package/**"];
const foldersOfGroups: Readonly<Record<string, readonly string[]>> = {
  client: ["docs/client.md", ...packs],
  package: ["package.json", "src/**", "designer/{server,shared,web}/**", "examples/**", "docs/upgrading.md", ...packs],
};

const groupRows: readonly TrialRow[] = Object.entries(groups).map(([folder, what]) => ({
  name: `tests-${folder}`,
  docs: `The long tests of ${what}, which \`.ci/run\` leaves out.`,
  command: ["test", "--", "--trials", `test/${folder}/`],
  files: inTrials.filter((file) => file.startsWith(`test/${folder}/`)),
  folders: foldersOfGroups[folder] ?? [],
}));

const seam = [
  "src/workers/engine/{source,deliveries,connections}*",
  "src/workers/engine/connections/**",
  "src/workers/compile/source-*",
  "src/control/connections/**",
];

/** A server's tests run what lies in these folders inside of threads, which no import shows. */
interface ServerRow {
  readonly what: string;
  readonly folders: readonly string[];
  /** Test files beside those of its folder and the suite. */
  readonly files?: readonly string[];
}

const servers: Readonly<Record<string, ServerRow>> = {
  sql: {
    what: "PostgreSQL, MariaDB and the embedded database",
    files: ["test/servers/servers.servers.ts", "test/servers/embedded/**/*.ts"],
    folders: [
      "src/workers/components/{database,jdbc,sql,sql-stored}/**",
      "src/workers/components/{jdbc,sql,sql-stored}.ts",
      "src/workers/connectors/{postgres,mysql,embedded}/**",
      "src/control/embedded/**",
      ...seam,
    ],
  },
  kafka: {
    what: "Kafka",
    folders: ["src/workers/components/kafka/**", "src/workers/connectors/kafka/**", ...seam],
  },
  mqtt: { what: "Mosquitto", folders: ["src/workers/components/paho*/**", "src/workers/connectors/mqtt/**"] },
  rabbitmq: {
    what: "RabbitMQ",
    folders: ["src/workers/components/*rabbitmq*/**", "src/workers/connectors/rabbitmq/**"],
  },
  amqp: { what: "Artemis", folders: ["src/workers/components/jms/**", "src/workers/connectors/amqp/**"] },
  sftp: {
    what: "OpenSSH",
    folders: ["src/workers/components/{remote-file,sftp}/**", "src/workers/connectors/sftp/**"],
  },
  ftp: { what: "vsftpd", folders: ["src/workers/components/{remote-file,ftp}/**", "src/workers/connectors/ftp/**"] },
  http: {
    what: "nginx and tinyproxy",
    folders: ["src/workers/components/http/**", "src/workers/connectors/http/**", "src/workers/engine/net/**"],
  },
  shells: { what: "bash, zsh and fish", folders: ["src/cli/**"] },
};

const serverRows: readonly TrialRow[] = Object.entries(servers).map(([folder, { what, folders, files = [] }]) => ({
  name: `servers-${folder}`,
  docs: `${what}: the suite of connectors, and the tests of their options, producers and consumers.`,
  command: ["run", "test:servers", "--", folder],
  files: [`test/servers/${folder}/**/*.ts`, ...files],
  folders: ["test/servers/suite.servers.ts", "test/servers/suite/**", ...folders],
}));

export const testRows: readonly TrialRow[] = [
  {
    name: "coverage",
    docs: "`npm test` from the sources, with counters: which lines of `src` the tests reach.",
    command: ["run", "coverage"],
    files: [],
    folders: ["src/**", "test/**/*.test.ts"],
  },
  {
    name: "backwards",
    docs: "`npm test` five times, with the files of each process in reverse order. A file that leans on what another has left behind fails.",
    command: ["test", "--", "--backwards"],
    times: 5,
    files: [],
    folders: ["test/**/*.test.ts", "test/support/**"],
  },
  ...groupRows,
  ...serverRows,
  {
    name: "browser",
    docs: "Every test of the designer's page in Chromium.",
    command: ["run", "test:browser"],
    files: ["test/designer/browser/*.browser.ts"],
    folders: ["designer/**"],
  },
];
