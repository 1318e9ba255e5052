/** The runtime's environment variables and what each is for, as `bulkhead help start` prints them; docs/operating.md describes them in full. */

import { misspelt } from "../shared/suggest.ts";

interface Variable {
  /** The default as a text; undefined: there is none. */
  readonly default?: string;
  /** What it does, its form, and the effect of its default where that is not obvious. */
  readonly words: string;
}

export const variables = {
  SERVICE_DEPLOY_TOKEN: {
    words:
      "The bearer token of the management API; 32 characters or more are hard to guess. Without it that API answers 503.",
  },
  SERVICE_DEPLOY_TOKEN_PREVIOUS: {
    words: "A second token that is accepted as well, while callers change to the new one.",
  },
  PORT: { default: "8080", words: "The TCP port to listen on; 0 takes any free one, which the log names." },
  HOST: { default: "127.0.0.1", words: "The address to listen on; 0.0.0.0 or :: listens on all." },
  ROUTES_DIR: {
    default: "./routes",
    words: "The directory of the flows, one <id>.yaml each; made if it is not there.",
  },
  ROUTES_WATCH: {
    default: "false",
    words:
      "true: files are deployed as they are dropped into ROUTES_DIR; false: they are reported, and wait for a reload or a start.",
  },
  DATA_DIR: {
    default: "./data",
    words: "The directory of everything else that lasts: revisions, policies, mappings, connections, the audit log.",
  },
  FILES_DIR: {
    default: "DATA_DIR/files",
    words: "Files that flows read and write: each flow has the directory of its id in here.",
  },
  LOG_LEVEL: { default: "info", words: "What is written to standard output: trace, debug, info, warn or error." },
  EGRESS_ALLOW: {
    words: "What flows may call beside public addresses: hosts and ranges, such as 'crm.internal:443,10.0.0.0/8'.",
  },
  TRUST_PROXY: { words: "Addresses and ranges of proxies in front, whose X-Forwarded-For says who calls." },
  ENV_ALLOW: { words: "Variables of the environment that flows may read as {{env:NAME}}: 'REGION; team-a=STAGE'." },
  SECRETS_DIR: { words: "An absolute path: values of secrets as files, for {{secret:NAME}}." },
  SECRETS_ENV_PREFIX: { words: "Variables that begin with it are secrets, too, and leave the environment." },
  DATA_KEY: {
    words:
      "32 bytes in hexadecimal or base64: messages that flows keep are encrypted with it. It leaves the environment. Without it DATA_DIR makes a key for itself, data.key.",
  },
  DATA_KEY_FILE: { words: "The file that has such a key, in place of DATA_KEY." },
  AUDIT_STRICT: { default: "false", words: "true: changes wait until their line of the audit log is on the disk." },
  TEST_SCOPE: {
    default: "deployment",
    words: "session: test sessions mock only runs that carry their id; deployment: all runs of a flow, too.",
  },
  ISOLATION: {
    default: "thread",
    words: "Where flows run that do not say it: thread, or process for host processes of their own.",
  },
} as const satisfies Readonly<Record<string, Variable>>;

/** The help text: each variable with its default and its description. */
export function variablesHelp(): string {
  return Object.entries(variables as Readonly<Record<string, Variable>>)
    .map(
      ([name, { default: standard, words }]) =>
        `  ${name}${standard === undefined ? "" : ` (${standard})`}\n      ${words}`,
    )
    .join("\n");
}

/** Shorter names are too near to variables of others, as PORT is to REPORT. */
const suggested = Object.keys(variables).filter((name) => name.length > 6);

/** Returns a warning for each of these names of variables that has no effect and is near to one of the runtime's; `known` have an effect elsewhere. */
export function misspeltVariables(names: Iterable<string>, known: (name: string) => boolean): readonly string[] {
  return [...names].flatMap((name) => {
    const near = Object.hasOwn(variables, name) || known(name) ? undefined : misspelt(name, suggested);
    return near === undefined ? [] : [`${name} has no effect: did you mean ${near}?`];
  });
}
