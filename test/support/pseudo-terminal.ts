/** The command line on a terminal: `script` of util-linux gives it one. */
import { spawn, spawnSync } from "node:child_process";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Why there is no terminal for a test; false: there is. */
export function noTerminal(): string | false {
  const { stdout } = spawnSync("script", ["--version"], { encoding: "utf8" });
  return (stdout ?? "").includes("util-linux") ? false : "script of util-linux is not installed";
}

export interface OnTerminal {
  /** Resolves with the output, escape sequences included, when that matches; rejects when the command ends before. */
  shown(pattern: RegExp): Promise<string>;
  press(keys: string): void;
  /** Closes the terminal, as a window or a connection does. */
  close(): void;
  /** The exit code, and the whole output. */
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
}

/** Starts the command on a terminal of 100 columns and 20 rows. */
export function onTerminal(t: TestContext, args: readonly string[], env: Readonly<Record<string, string>>): OnTerminal {
  const command = [process.execPath, "bin/bulkhead.js", ...args].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qefc", `stty cols 100 rows 20; exec ${command}`, "/dev/null"], {
    cwd: root,
    env: { PATH: process.env["PATH"] ?? "", HOME: "/nowhere", TERM: "xterm-256color", SHELL: "/bin/sh", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once("close", (code) => resolve({ code, output })),
  );
  const shown = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (pattern.test(output)) resolve(output);
      };
      child.stdout.on("data", look);
      look();
      void ended.then(({ code }) => reject(new Error(`it ended with ${code}: ${output}`)));
    });
  return { shown, ended, press: (keys) => void child.stdin.write(keys), close: () => void child.kill("SIGKILL") };
}
