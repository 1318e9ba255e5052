/** What `bulkhead designer --help` prints, and docs/cli.md has. */
import { variablesHelp } from "./variables.ts";

export const hashCommand = "hash-password";

export const usage = `bulkhead designer [command]

  (none)          starts the designer, which draws, deploys and watches flows in the browser; SIGTERM, Ctrl-C or the end of its terminal ends it
  ${hashCommand}   reads a password from standard input and prints its hash for the file of users
  --help, -h      prints this text

Environment variables configure it:

${variablesHelp()}`;
