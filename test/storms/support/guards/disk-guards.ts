/** Guards of what has been acknowledged. */
import type { Guard } from "./guard.ts";

const crashes = ["test/control/stores/crash-states.test.ts"];

export const diskGuards: readonly Guard[] = [
  {
    name: "a file is on the disk before it takes its name",
    file: "src/control/stores/atomic-file.ts",
    from: "      await file.sync();\n",
    to: "",
    suite: crashes,
  },
  {
    name: "a name is on the disk before it is acknowledged",
    file: "src/control/stores/atomic-file.ts",
    from: "    await fs.syncDirectory(directory);\n  } catch (error) {\n    await undo();",
    to: "    await fs.facts(directory);\n  } catch (error) {\n    await undo();",
    suite: crashes,
  },
  {
    name: "a file is replaced by a rename",
    file: "src/control/stores/atomic-file.ts",
    from: "    await fs.rename(temp, path);\n  } catch (error) {\n    await discard(fs, temp);",
    to: "    await fs.unlink(path).catch(() => undefined);\n    await fs.rename(temp, path);\n  } catch (error) {\n    await discard(fs, temp);",
    suite: crashes,
  },
  {
    name: "what a directory's failed sync leaves behind is put back",
    file: "src/control/stores/atomic-file.ts",
    from: "    await undo();\n    throw error;",
    to: "    throw error;",
    suite: ["test/control/stores/crash-states.test.ts", "test/control/stores/crash-safety.test.ts"],
  },
];
