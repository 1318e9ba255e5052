/**
 * Processes that end with the one that started them, however that ends. The parent keeps one end of a pipe, and the system closes it when the
 * parent is gone; the child reads the other end. It polls nothing, and imports nothing: the start of a runtime loads this file.
 */

const variable = "BULKHEAD_PARENT_FD";

/** The environment of a child that ends with this process: the fourth entry of its `stdio` is "pipe". bin/bulkhead.js does the same. */
export const endsWithUs: Readonly<Record<string, string>> = { [variable]: "3" };

/**
 * Ends this process as a closed terminal does when the pipe that BULKHEAD_PARENT_FD names comes to its end. Removes the variable, which is
 * meant for this process alone. The pipe does not keep the process alive. A number that is no pipe is reported, and ignored.
 */
export function endWithParent(): void {
  const given = process.env[variable];
  if (given === undefined) return;
  delete process.env[variable];
  try {
    if (!/^[3-9]$|^[1-9]\d+$/.test(given)) throw new Error("it is not the number of a pipe");
    const { Socket } = process.getBuiltinModule("node:net");
    const pipe = new Socket({ fd: Number(given), readable: true, writable: false });
    // Its end comes as an end or as an error, and both close it.
    pipe.on("error", () => {}).once("close", () => process.kill(process.pid, "SIGHUP"));
    pipe.resume().unref();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`bulkhead: this process does not end with its parent: ${variable} is '${given}': ${reason}\n`);
  }
}
