/** The files of an endpoint as messages of a source that polls (Camel: GenericFileConsumer). */
import type { Ended, Taken } from "../../engine/attended/attended.ts";
import type { Page } from "../../engine/attended/polled.ts";
import type { NewMessage, SourceContext } from "../../engine/source.ts";
import { directoryFor } from "./directory.ts";
import type { Files } from "./file-system.ts";
import { FileFinder } from "./finder.ts";
import { type ClaimedFile, FileTaker } from "./one-file.ts";
import type { TakingOptions } from "./put-away.ts";
import { takenFiles } from "./taken-files.ts";

export class FileInbox {
  readonly #options: TakingOptions;
  readonly #files: () => Files;
  readonly #finder: FileFinder;
  readonly #taker: FileTaker;
  readonly #prepare: ReturnType<typeof directoryFor>;

  /** `name`: of the files that were taken in the state store. Throws for contradictory or invalid options. */
  constructor(options: TakingOptions, files: () => Files, name: string, context: SourceContext) {
    this.#options = options;
    this.#files = files;
    this.#finder = new FileFinder(options, context, takenFiles(options, name, context));
    this.#taker = new FileTaker(options, context, this.#finder);
    this.#prepare = directoryFor(options);
  }

  /** Rejects when files cannot be looked for. `more`: returns headers of a message, when its file has been read. */
  async poll(more: () => NewMessage["headers"] = () => []): Promise<Page<PolledFile>> {
    const files = this.#files();
    await this.#prepare(files);
    const found = await this.#finder.find(files);
    const size = found.length;
    return {
      size,
      claim: async (index) => {
        const file = found[index];
        const claimed = file && (await this.#taker.claim(files, { found: file, index, size }));
        // Further files would each wait for a connection, and the poll would not be seen to fail.
        if (claimed === undefined && files.system.away !== undefined) throw files.system.away;
        return claimed && new PolledFile(claimed, this, more());
      },
      leave: async (from) => {
        for (const file of found.slice(from)) await this.#finder.giveBack(files.area, file);
      },
    };
  }

  async settle({ taken: { claimed }, outcome, exchange }: Ended<PolledFile>): Promise<void> {
    if (outcome === "lost") await claimed.back();
    // One that always ends its thread would come again without end.
    else if (outcome === "done" || (outcome === "givenUp" && this.#options.moveFailed === undefined))
      await claimed.done(exchange);
    else await claimed.failed(exchange);
  }
}

class PolledFile implements Taken {
  readonly claimed: ClaimedFile;
  readonly lane: object;
  readonly redelivered = false;
  readonly comesAnew = true;
  readonly #headers: NewMessage["headers"];

  constructor(claimed: ClaimedFile, lane: object, headers: NewMessage["headers"]) {
    this.claimed = claimed;
    this.lane = lane;
    this.#headers = headers;
  }

  get keeps(): boolean {
    return this.claimed.message.keeps !== false;
  }

  message(): NewMessage {
    const { message } = this.claimed;
    return { ...message, headers: [...(message.headers ?? []), ...(this.#headers ?? [])] };
  }

  key(): string {
    const { path, stats } = this.claimed.found;
    return `${path} ${stats.size} ${stats.mtimeMs}`;
  }
}
