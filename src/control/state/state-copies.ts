/** Copies of the groups' files for a backup, made one after the other while their groups go on. */
import { createReadStream, promises as fs } from "node:fs";
import { basename, join } from "node:path";
import { randomHex } from "../../shared/ids.ts";

/** A group's file as of one moment. It is removed when the next one is asked for. */
export interface StateCopy {
  /** The file's name in the state directory. */
  readonly name: string;
  readonly bytes: number;
  /** Reads the copy, once. */
  content(): AsyncIterable<Uint8Array>;
}

const fileName = /^([^.].*)\.sqlite$/;
const copyName = /^\..+\.copy$/;

/** `copy`: makes a copy of a group's file at a path in the directory. `directory`: undefined when nothing is on the disk. */
export async function* copiesOf(
  directory: string | undefined,
  copy: (group: string, path: string) => Promise<void>,
): AsyncGenerator<StateCopy> {
  if (directory === undefined) return;
  const names = await fs.readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  // A process that was killed has left them; backups are made one at a time.
  for (const name of names.filter((one) => copyName.test(one))) await fs.rm(join(directory, name), { force: true });
  for (const name of names.sort()) {
    const [, group] = fileName.exec(name) ?? [];
    if (group === undefined) continue;
    const path = join(directory, `.${group}.${randomHex(12)}.copy`);
    try {
      await (await fs.open(path, "wx", 0o600)).close();
      await copy(group, path);
      const { size } = await fs.stat(path);
      yield { name: basename(name), bytes: size, content: () => createReadStream(path) };
    } finally {
      await fs.rm(path, { force: true });
    }
  }
}
