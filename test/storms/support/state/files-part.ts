/** Files that a consumer with `noop` takes once each, over all kills. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { epochMs, pause } from "../../../support/clock.ts";
import { counted, type PartFigures, type StormPart, sharedFlow } from "./part.ts";

const filesAStorm = 5;

export class FilesPart implements StormPart {
  readonly flowId = sharedFlow;
  readonly #directory: string;
  #files = 0;

  constructor(directory: string) {
    this.#directory = join(directory, "data/files", this.flowId);
  }

  yaml(version: number): string {
    return `
- route:
    id: inbox
    from:
      uri: "file:in?noop=true&initialDelay=1&delay=10"
      steps:
        - setProperty: { name: version, constant: "${version}" }
        - setBody: { simple: "\${header.CamelFileName}" }
        - to: "file:effects?fileName=inbox&fileExist=Append&appendChars=%0A"
`;
  }

  async storm(): Promise<void> {
    const inbox = join(this.#directory, "in");
    await mkdir(inbox, { recursive: true });
    for (let i = 0; i < filesAStorm; i += 1) await writeFile(join(inbox, `f${++this.#files}`), "a file");
  }

  async finish(): Promise<void> {
    const until = epochMs() + 30_000;
    while (epochMs() < until && (await this.#taken()).size < this.#files) {
      await pause(20);
    }
  }

  async figures(kills: number): Promise<PartFigures> {
    const taken = await this.#taken();
    const lost = this.#files - taken.size;
    const twice = [...taken.values()].reduce((sum, count) => sum + count - 1, 0);
    const problems: string[] = [];
    if (lost > 0) problems.push(`${lost} files were never taken`);
    // One file is under way at a time.
    const tooMany = Math.max(0, twice - kills);
    if (tooMany > 0) problems.push(`${twice} files were taken again after ${kills} kills`);
    return {
      rows: [
        ["files", this.#files, ""],
        ["... never taken", lost, 0],
        ["... taken again", twice, kills],
      ],
      problems,
    };
  }

  async #taken(): Promise<ReadonlyMap<string, number>> {
    const text = await readFile(join(this.#directory, "effects/inbox"), "utf8").catch(() => "");
    return counted(text.split("\n").filter((line) => line !== ""));
  }
}
