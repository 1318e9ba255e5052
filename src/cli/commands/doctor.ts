import {
  checkClock,
  checkDataKey,
  checkDescriptors,
  checkDirectory,
  checkNode,
  checkToken,
  descriptorLimit,
  type Health,
} from "../machine-checks.ts";
import { packageVersion } from "../package-root.ts";
import { checkRuntime } from "../runtime-checks.ts";
import { targetOf } from "../target.ts";
import { plainLine, type Style, sayJson, type Terminal } from "../terminal.ts";
import { type AddCommand, addCommand, type TargetOptions, withJson, withTarget } from "../tree.ts";

interface Options extends TargetOptions {
  readonly json?: boolean;
}

export const addDoctor: AddCommand = (parent, { terminal, ending }) => {
  const command = addCommand(parent, "doctor", {
    summary: "looks at what a runtime and the command line need, and says what to do",
    details:
      "Looks at Node.js, descriptors, the directories of ROUTES_DIR and DATA_DIR and their disks, the key of kept messages, the token, the clock, the runtime that commands call or the port that it would take, and the versions of both. A line each, ok, warning or problem; ends with 1 when there is a problem. Changes nothing.",
    examples: ["bulkhead doctor", "bulkhead doctor --profile production --json"],
  });
  withJson(withTarget(command), "prints what was found as JSON").action(async (options: Options) => {
    const { env } = terminal;
    const { url, token } = await targetOf(options, env);
    const own = checkToken(token);
    const { found, time } = await checkRuntime(
      { url, token: own.state === "problem" ? undefined : token },
      packageVersion(),
    );
    const all: readonly Health[] = [
      checkNode(process.versions.node),
      checkDescriptors(descriptorLimit()),
      checkDirectory("ROUTES_DIR", "routes", env),
      checkDirectory("DATA_DIR", "data", env),
      checkDataKey(env),
      checkClock(new Date(), time),
      own,
      ...found,
    ];
    if (options.json === true) sayJson(terminal, all);
    else for (const one of all) sayHealth(terminal, one);
    if (all.some(({ state }) => state === "problem")) ending.code = 1;
  });
};

const styles: Readonly<Record<Health["state"], Style>> = { ok: "green", warning: "yellow", problem: "red" };

function sayHealth(terminal: Terminal, { check, state, message, advice }: Health): void {
  const what = advice === undefined ? message : `${message}: ${advice}`;
  terminal.say(`${terminal.paint(styles[state], state.padEnd(7))}  ${check.padEnd(20)}  ${plainLine(what)}`);
}
