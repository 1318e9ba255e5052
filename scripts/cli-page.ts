/** docs/cli.md: the command line, each command with its own help. */
import type { Command } from "commander";
import { usage as designerUsage } from "../designer/server/usage.ts";
import { designerWord, runtimeWords } from "../src/cli/first-word.ts";
import { tree } from "../src/cli/program.ts";
import { pathOf, textOf } from "../src/cli/tree.ts";
import { readCommand } from "../src/control/command.ts";
import { usage as testUsage } from "../src/control/flow-test/command-line.ts";
import { pictureOf, scenes } from "./pictures/scenes.ts";

export function cliPage(): string {
  const program = tree({
    terminal: { env: {}, width: 110, paint: (_style, text) => text, say() {}, write() {}, complain() {} },
    ending: { code: 0 },
    connect: () => Promise.reject(new Error("nothing is called")),
  });
  return [
    ...intro,
    "## Commands",
    "",
    "| command | |",
    "|---|---|",
    ...program.commands
      .filter((command) => command.name() !== "help")
      .map((command) => `| [\`${command.name()}\`](#${command.name()}) | ${textOf(command)?.summary ?? ""} |`),
    "",
    ...program.commands.flatMap((command) => sections(command, 3)),
  ].join("\n");
}

function sections(command: Command, depth: number): string[] {
  const text = textOf(command);
  if (text === undefined) return [];
  const title = pathOf(command).slice("bulkhead ".length);
  return [
    `${"#".repeat(depth)} ${title}`,
    "",
    "```",
    ...helpOf(command, title),
    "",
    ...text.examples.map((example) => `$ ${example}`),
    "```",
    "",
    ...picture(title),
    ...command.commands.flatMap((one) => sections(one, depth + 1)),
  ];
}

/** `node scripts/terminal-pictures.ts` makes them. */
function picture(title: string): string[] {
  const scene = scenes.find(({ command }) => command === title);
  return scene === undefined ? [] : [`![${scene.caption}](${pictureOf(scene)})`, ""];
}

/** The help as the command prints it; the runtime's own commands and the designer have theirs. */
function helpOf(command: Command, title: string): string[] {
  if (title === "start") return ["The same as bulkhead run."];
  if (title === designerWord) return designerUsage.split("\n");
  if (title === "test") return testUsage.split("\n");
  if (!runtimeWords.some((word) => word === title)) return command.helpInformation().trimEnd().split("\n");
  const help = readCommand([title, "--help"]);
  if (!("text" in help)) throw new Error(`${title} has no help`);
  return help.text.split("\n");
}

const intro = [
  "# The command line",
  "",
  "Generated from the commands by `npm run docs`: do not edit.",
  "",
  "`bulkhead` starts the runtime and, from anywhere, asks a running one for its deployed flows, their runs and their failures. In a folder",
  "where the package is installed, and in a checkout, run it as `npx bulkhead`. `npm install --global` with the path of the tarball makes it a command of every folder.",
  "`bulkhead help COMMAND` prints what this page has, `bulkhead completion` a script with which a shell completes",
  "commands, kinds, options, their values and files. Words that do not exist are refused, with the one that is meant.",
  "",
  "**Output.** Commands print tables and text, in colours on a terminal, and never with `NO_COLOR`; tables are cut to the terminal's width, and not cut when",
  "they are piped. With `--json` a command prints the runtime's document alone on standard output, for programs. Messages go to standard error.",
  "What runtimes and files have in their texts cannot steer the terminal: control characters are shown as `\\u001b`. A body that `call` pipes is what was answered, byte for byte.",
  "",
  "**Exit codes.** 0: done. 1: failed, such as a refusal of the runtime, or a runtime that does not answer. 2: the command line, or a file that it names, cannot be used.",
  "",
  "## Which runtime",
  "",
  "A command calls, in this order, the runtime of",
  "",
  "1. `--profile NAME`, at the address of `--url` if there is one, too;",
  "2. `--url URL`, else the variable `BULKHEAD_URL`, with the token of `BULKHEAD_TOKEN`;",
  "3. the profile that `BULKHEAD_PROFILE` names, else the `default` of the profile file;",
  "4. `http://127.0.0.1:8080`, with the token of `BULKHEAD_TOKEN`, else of `SERVICE_DEPLOY_TOKEN`, which a shell that has started the runtime may have.",
  "",
  "Profiles are in `~/.config/bulkhead/profiles.yaml` or `.json` (`XDG_CONFIG_HOME` is respected), or in the file that `BULKHEAD_PROFILES` names:",
  "",
  "```yaml",
  "default: local",
  "profiles:",
  "  local:",
  "    url: http://127.0.0.1:8080",
  "    token: { env: SERVICE_DEPLOY_TOKEN }",
  "  staging:",
  "    url: https://bulkhead.staging.example.com",
  "    token: { file: staging-token }",
  "  production:",
  "    url: https://bulkhead.example.com",
  "    token: { command: [pass, show, bulkhead/production] }",
  "```",
  "",
  "A token comes from a variable, a file (relative to the profile file, or below `~/`), or a command, which runs without a shell and prints it. A profile without",
  "a token uses `BULKHEAD_TOKEN`. `token: { value: ... }` holds it in clear; that is refused unless only the file's owner may read the file (`chmod 600`), since",
  "anybody else of the machine could use it. There is no option for a token: the list of processes shows options to everybody. A profile file in the current directory is not",
  "read: a folder from elsewhere must not decide where a token is sent, or which command is run for it. For the same reason the token of a profile is never sent to an",
  "address that was given without `--profile`.",
  "",
];
