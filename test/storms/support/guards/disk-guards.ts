/** Guards of what has been acknowledged. */
import type { Guard } from "./guard.ts";

const crashes = ["test/control/stores/crash-states.test.ts"];
const misplaced = ["test/control/stores/misplaced-revisions.test.ts"];

export const diskGuards: readonly Guard[] = [
  {
    name: "a file is on the disk before it takes its name",
    file: "src/control/stores/durable-files.ts",
    from: "await together([fs.facts(temp), file.sync()]);",
    to: "await together([fs.facts(temp)]);",
    suite: crashes,
  },
  {
    name: "a record is on the disk before the YAML takes its name",
    file: "src/control/stores/durable-files.ts",
    from: "    await together([file.sync(), fs.syncDirectory(dirname(path))]);\n",
    to: "",
    suite: crashes,
  },
  {
    name: "a name is on the disk before it is acknowledged",
    file: "src/control/stores/durable-files.ts",
    from: "    await fs.syncDirectory(directory);\n  } catch (error) {\n    await undo();",
    to: "    await fs.facts(directory);\n  } catch (error) {\n    await undo();",
    suite: crashes,
  },
  {
    name: "a file is replaced by a rename",
    file: "src/control/stores/durable-files.ts",
    from: "        await fs.rename(temp, path);\n      } catch (error) {\n        await discard(fs, temp);",
    to: "        await fs.unlink(path).catch(() => undefined);\n        await fs.rename(temp, path);\n      } catch (error) {\n        await discard(fs, temp);",
    suite: crashes,
  },
  {
    name: "what a directory's failed sync leaves behind is put back",
    file: "src/control/stores/durable-files.ts",
    from: "    await undo();\n    throw error;",
    to: "    throw error;",
    suite: ["test/control/stores/crash-states.test.ts", "test/control/stores/crash-safety.test.ts"],
  },
  {
    name: "what lies in the place of a flow's revisions is damage, and no absence",
    file: "src/control/stores/revision-files.ts",
    from: "      if (misplaced) throw new DamagedError(damaged);\n",
    to: "",
    suite: misplaced,
  },
  {
    name: "what is in the way of a flow's revisions is set aside",
    file: "src/control/stores/revision-files.ts",
    from: "    if (aside !== undefined) await this.#fs.rename(path, aside);\n",
    to: "",
    suite: misplaced,
  },
  {
    name: "what was written of a revision that does not become the flow is deleted",
    file: "src/control/flows/deploy-order.ts",
    from: "      (prepared) => prepared.discard(),\n",
    to: "      () => undefined,\n",
    suite: ["test/control/refused-revisions.test.ts"],
  },
  {
    name: "the files that a journal of a set names are on the disk before it",
    file: "src/control/stores/file-sets.ts",
    from: "    await this.#own.ensure();\n    for (const directory of directoriesOf(moves)) await this.#fs.syncDirectory(directory);\n",
    to: "    await this.#own.ensure();\n",
    suite: ["test/control/stores/set-crashes.test.ts"],
  },
  {
    name: "a boot completes a set whose journal it finds",
    file: "src/control/stores/file-sets.ts",
    from: "    await this.#options.guard.change(area, () => this.#make(moves));\n",
    to: "",
    suite: ["test/control/stores/set-crashes.test.ts"],
  },
  {
    name: "a routes directory without a lock is not changed",
    file: "src/control/stores/file-stores.ts",
    from: '    if (this.#unlocked !== undefined) throw new AppError("store_failed", this.#unlocked);\n',
    to: "",
    suite: ["test/control/stores/store-failures.test.ts"],
  },
  {
    name: "nobody waits for the writer of a FIFO in the place of a test file",
    file: "src/shared/regular-file.ts",
    from: "constants.O_RDONLY | constants.O_NONBLOCK",
    to: "constants.O_RDONLY",
    suite: ["test/flow-test/command.test.ts"],
  },
];
