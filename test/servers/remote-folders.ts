/** Two directories of a server of files in the suite of connectors, as they are on its disk. */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Rig } from "./suite/connector.ts";

const ways = 16;

/** Names files in the order in which they are written. */
export const writtenName = "${date:now:yyyyMMddHHmmssSSS}-${exchangeId}";

export interface RemoteFolders extends Pick<Rig, "reset" | "produce" | "consumed" | "left"> {
  /** A pattern for the names of a share of the files, one of `of`. */
  share(at: number, of: number): string;
}

/** `makeDirectory`: makes one that the server's user may write into. */
export function remoteFolders(files: string, makeDirectory: (path: string) => Promise<void>): RemoteFolders {
  let made = 0;
  let resets = 0;
  const texts = new Map<string, string>();
  const produceOne = async (text: string): Promise<void> => {
    const number = ++made;
    const name = `${String(number).padStart(6, "0")}-${number % ways}.txt`;
    const part = join(files, "new", name);
    await writeFile(part, text);
    await rename(part, join(files, "inbox", name));
  };
  return {
    async reset() {
      // The server may still write what a flow of the case before has sent: the old folders are put aside, and go with the server.
      const aside = join(files, `before-${++resets}`);
      await mkdir(aside);
      for (const folder of ["inbox", "sink", "new"]) {
        if (existsSync(join(files, folder))) await rename(join(files, folder), join(aside, folder));
        await makeDirectory(folder);
      }
      texts.clear();
    },
    async produce(all) {
      for (const text of all) await produceOne(text);
    },
    async consumed() {
      for (const name of await readdir(join(files, "sink"))) {
        if (texts.has(name) || name.startsWith("part-")) continue;
        texts.set(name, await readFile(join(files, "sink", name), "utf8"));
      }
      return [...texts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
    },
    left: async () => (await readdir(join(files, "inbox"))).length,
    share(at, of) {
      const own = Array.from({ length: ways }, (_, way) => way).filter((way) => way % of === at);
      return `.*-(${own.join("|")})[.]txt`;
    },
  };
}
