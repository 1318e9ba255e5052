/** Every bound of the designer's server. Bytes and milliseconds. */

const kib = 1024;
const mib = 1024 * kib;
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

export const limits = {
  /** Of a flow's YAML, of its companion, and of its saved examples, each. */
  fileBytes: mib,
  /** Of a request to the server's own API: a YAML of `fileBytes` in JSON, where a character may take six bytes. */
  bodyBytes: 8 * mib,
  /** Of a mapping's document, as the runtime takes it; of the request that writes it, in which a character may take more bytes. */
  documentBytes: 16 * mib,
  documentBodyBytes: 40 * mib,
  /** Files of the workspace that are listed. */
  flows: 5000,
  /** Mappings of the workspace, of both kinds together. */
  mappings: 5000,
  /** Documents of connections in the workspace. */
  connectionFiles: 1000,
  /** Saved examples of a flow. */
  examples: 200,
  /** Of state.json. */
  stateBytes: 16 * mib,
  /** Of the files of users and of targets. */
  settingsFileBytes: mib,
  /** Of a token's file. */
  tokenBytes: 64 * kib,
  /** Within this time a file of a token is not read again. */
  tokenAgeMs: 5 * second,

  /** Requests to runtimes, by the size class of their operation (proxy/table.ts). */
  proxyBodyBytes: { usual: 4 * mib, document: 17 * mib, set: 65 * mib },
  /** Until a runtime begins to answer: a deployment of many flows takes its time. */
  proxyHeadersMs: 5 * minute,
  /** Connections to one runtime; event streams have one each. */
  proxyConnections: 256,
  /** Of a flow's answer to a call; the rest is cut off. */
  callAnswerBytes: mib,
  callMs: 2 * minute,

  /** Open connections of browsers for event streams. */
  eventStreams: 200,
  /** Event streams that one of them carries. */
  carriedStreams: 100,
  heartbeatMs: 15 * second,
  /** How long changes of files are gathered before they are reported. */
  watchGatherMs: 100,
  /** How often the files are looked at, for changes that the file system does not report. */
  watchSampleMs: 3 * second,

  sessions: 1000,
  sessionIdleMs: hour,
  sessionMs: 12 * hour,
  /** Failed logins of a name at an address, of an address, and of a name, within `attemptsMs`. */
  attempts: { pair: 5, address: 20, name: 50 },
  attemptsMs: 5 * minute,
  /** Names and addresses whose failed logins are counted. */
  attemptsKept: 10_000,
  /** Passwords that are checked at a time: each takes 128 MiB and a processor for a while. */
  passwordChecks: 2,
  /** Passwords that wait for that. */
  passwordsWaiting: 20,
  passwordBytes: 1024,
  /** Logins at a provider that have begun, and how long they may take. */
  providerLogins: 1000,
  providerLoginMs: 10 * minute,

  /** Open connections of browsers. */
  connections: 1024,
  requestMs: 2 * minute,
} as const;
