/**
 * Who in src may import whom, types included. A folder may import its own files, src/shared, and what its line has: folders
 * and files of its side (workers or control), or with a slash at the beginning of src; `/**` at the end is a folder with all that is below it. The closest line counts, and
 * every file needs one. laws.test.ts holds them, and refuses modules that depend on each other in a circle.
 */
export const laws: Readonly<Record<string, string>> = {
  shared: "limits",
  "shared/limits": "",
  "shared/connections": "",

  // The client of programs elsewhere: nothing of a runtime is in it.
  client: "",

  // The command line: the client for what it asks a runtime. The runtime's own commands and the thread that checks flows are files that it
  // loads by their URLs, so that nothing of control and of workers is in it.
  "cli/**": "cli/** /client",

  // Threads: the engine knows no concrete step, and no part knows who runs it.
  workers: "**",
  "workers/engine/**": "/shared/connections",
  "workers/steps/**": "engine/**",
  "workers/components/**":
    "/shared/connections connectors/** engine/** languages/budget.ts languages/input.ts mappings/check-schema.ts mappings/json-schema.ts",
  "workers/languages/**": "engine/**",
  "workers/formats/**": "engine/**",
  "workers/connectors/**": "/shared/connections engine/**",
  "workers/elements": "engine/**",
  "workers/kamelets": "",
  "workers/mappings/**": "engine/** formats/** languages/**",
  "workers/check/**": "catalog.ts elements engine/** kamelets languages/simple/docs",
  "workers/compile": "/shared/connections catalog.ts engine/**",
  "workers/testing": "catalog.ts compile engine/**",
  "workers/mocks": "compile engine/** testing",

  // Control: imports point down, and news for those above goes by event.
  control: "**",
  "control/log.ts": "",
  "control/limit-settings.ts": "",
  // What the command line loads to check documents without a runtime.
  "control/document-checks.ts": "/shared/connections access/** connections stores",
  "control/variables.ts": "",
  "control/data-key.ts": "stores",
  "control/config.ts": "access/client-address.ts data-key.ts limit-settings.ts stores variables.ts",
  "control/http": "",
  "control/streams": "",
  "control/audit": "",
  "control/stores": "",
  // What the rest of control needs is in threads itself; below it each folder stands on those before it.
  "control/threads": "threads/**",
  "control/threads/local": "threads",
  "control/threads/line": "threads threads/hosts/host-end.ts",
  "control/threads/supervision": "threads threads/line",
  "control/threads/hosts": "threads threads/local threads/pool/standby-threads.ts",
  "control/threads/pool": "threads threads/hosts/host-end.ts threads/line threads/supervision",
  "control/host": "threads threads/hosts threads/line/flood-breaker.ts threads/local",
  // The state thread has the classes of its subjects; the rest of control has their operations.
  "control/state": "threads threads/local",
  // What the process of embedded databases runs; control has the messages to it.
  "control/embedded": "threads threads/hosts threads/local",
  "control/embedded/process": "embedded threads/hosts",
  "control/flows": "state stores threads/**",
  "control/mappings": "flows stores threads/**",
  "control/connections": "/shared/connections embedded flows stores threads/**",
  "control/deployments": "access connections flows mappings stores threads/waiting.ts",
  "control/runs/**": "flows http state stores streams threads/**",
  "control/backup": "audit stores",
  "control/access/**": "http stores",
  "control/triggers": "access/** flows http runs/** threads/**",
  "control/api/**":
    "/shared/connections access/** audit backup connections deployments flows http mappings runs/** state stores streams",
  // `bulkhead test` goes through the API of a runtime, as its callers do.
  "control/flow-test": "/client app.ts app-options.ts config.ts limit-settings.ts http runs/** stores",
};

/** Folders whose members, a file or a folder each, never import each other; the list in index.ts has them all. */
export const apart: Readonly<Record<string, string>> = {
  "workers/steps": "",
  // What several clocks share, what those for databases do, and what those for files do, on the disk and on servers.
  "workers/components":
    "cron-schedule.ts database/client.ts database/connection.ts database/generated-keys.ts database/message-data.ts database/options.ts database/parameters.ts database/result.ts database/statement-text.ts database/statement.ts database/stream.ts " +
    "file/area.ts file/failure.ts file/file-system.ts file/inbox.ts file/options.ts file/put-away.ts file/shared-options.ts file/writer.ts " +
    "remote-file/ends.ts remote-file/ftp.ts remote-file/options.ts remote-file/sftp.ts",
};
