/** Polls a directory of a server, and offers each file (Camel: RemoteFileConsumer 4.22). */
import { Deliveries, mostDeliveries } from "../../engine/deliveries.ts";
import { exceptionMessage } from "../../engine/exception.ts";
import { PollClock } from "../../engine/poll-clock.ts";
import type { NewMessage, Offer, Source, SourceContext } from "../../engine/source.ts";
import { FileArea } from "../file/area.ts";
import { directoryFor } from "../file/directory.ts";
import type { Files } from "../file/file-system.ts";
import { FileFinder } from "../file/finder.ts";
import type { FoundFile } from "../file/headers.ts";
import { type ClaimedFile, FileTaker } from "../file/one-file.ts";
import { takenFiles } from "../file/taken-files.ts";
import { endpointOf, type RemoteScheme } from "./connection.ts";
import { fileOptionsOf, type RemoteOptions, takingOptionsOf } from "./file-options.ts";
import { RemoteFiles } from "./remote-files.ts";

/** Throws for invalid options. */
export function remoteSource(
  scheme: string,
  how: RemoteScheme,
  options: RemoteOptions,
  context: SourceContext,
): Source {
  let offer: Offer | undefined;
  const inbox = new RemoteInbox(scheme, how, options, context, () => clock.stopped);
  const poll = async (): Promise<number> => (offer === undefined ? 0 : inbox.poll(offer));
  const clock = new PollClock(options, context.report, poll);
  return {
    // One file after another: their order is that of the directory.
    credits: 1,
    start(to) {
      offer = to;
      clock.start();
    },
    pause() {
      clock.stop();
      void clock.idle().then(() => inbox.rest());
    },
    async stop() {
      clock.stop();
      await clock.idle();
      await inbox.rest();
    },
  };
}

class RemoteInbox {
  readonly #options: RemoteOptions;
  readonly #context: SourceContext;
  readonly #stopped: () => boolean;
  readonly #files: Files & { readonly system: RemoteFiles };
  readonly #finder: FileFinder;
  readonly #taker: FileTaker;
  readonly #prepare: ReturnType<typeof directoryFor>;
  readonly #deliveries: Deliveries;
  readonly #host: string;

  constructor(
    scheme: string,
    how: RemoteScheme,
    options: RemoteOptions,
    context: SourceContext,
    stopped: () => boolean,
  ) {
    const { connection, directory, host } = endpointOf(options, how, context);
    const fileOptions = fileOptionsOf(options, directory);
    this.#options = options;
    this.#context = context;
    this.#stopped = stopped;
    this.#host = host ?? connection.name;
    this.#files = {
      area: new FileArea(".", directory),
      system: new RemoteFiles(connection, {
        limits: context.limits,
        disconnects: options.disconnect,
        ignoresDenied: options.ignoreFileNotFoundOrPermissionError,
        persists: (error) => {
          context.report.failed(error, context.limits.connectionRetryMs);
          return !stopped();
        },
        late: (error) => context.report.failed(error, 0),
      }),
    };
    this.#finder = new FileFinder(
      fileOptions,
      context,
      takenFiles(fileOptions, `${scheme}-taken:${context.routeId}`, context),
    );
    this.#taker = new FileTaker(takingOptionsOf(options, fileOptions), context, this.#finder);
    this.#prepare = directoryFor(fileOptions);
    this.#deliveries = new Deliveries(context, { scheme, word: "file" });
  }

  /** No file is under way. Does not reject. */
  async rest(): Promise<void> {
    await this.#deliveries.end();
  }

  /** Resolves with the number of messages. Rejects when files cannot be looked for. */
  async poll(offer: Offer): Promise<number> {
    try {
      const taken = await this.#poll(offer);
      if (taken === 0 && this.#options.sendEmptyMessageWhenIdle && !this.#stopped()) await offer({ body: null });
      return taken;
    } catch (error) {
      this.#context.report.backlog(undefined);
      const where = this.#files.area.name === "" ? "the login's directory" : `'${this.#files.area.name}'`;
      const failure = new Error(`files cannot be looked for in ${where}: ${exceptionMessage(error)}`, { cause: error });
      if (this.#options.bridgeErrorHandler) await offer({ body: null, failed: { error }, keeps: false });
      throw failure;
    }
  }

  async #poll(offer: Offer): Promise<number> {
    await this.#prepare(this.#files);
    const found = await this.#finder.find(this.#files);
    let taken = 0;
    let away: unknown;
    this.#context.report.backlog(found.length);
    if (found.length > 0) await this.#deliveries.begin();
    for (const [index, file] of found.entries()) {
      this.#context.report.backlog(found.length - index - 1);
      if (this.#stopped() || away !== undefined) await this.#finder.giveBack(this.#files.area, file);
      else if (await this.#take(file, index, found.length, offer)) taken += 1;
      else away = this.#files.system.away;
    }
    // Further files would each wait for a connection, and the poll would not be seen to fail.
    if (away !== undefined) throw away;
    if (!this.#stopped()) await this.#deliveries.calm();
    return taken;
  }

  async #take(found: FoundFile, index: number, size: number, offer: Offer): Promise<boolean> {
    const claimed = await this.#taker.claim(this.#files, { found, index, size });
    if (claimed === undefined) return false;
    const key = `${found.path} ${found.stats.size} ${found.stats.mtimeMs}`;
    let delivery: number;
    try {
      delivery = await this.#deliveries.count(key);
    } catch (error) {
      await claimed.back();
      throw error;
    }
    try {
      return await this.#offered(claimed, key, delivery, offer);
    } finally {
      await this.#deliveries.forget(key, delivery);
    }
  }

  async #offered(claimed: ClaimedFile, key: string, delivery: number, offer: Offer): Promise<boolean> {
    const isPoison = delivery >= mostDeliveries;
    const settled = await offer({
      ...this.#messageOf(claimed.message),
      ...(isPoison && { failed: { error: this.#deliveries.tooOften(key) }, keeps: true }),
    });
    if (settled.outcome === "lost") await claimed.back();
    // One that always ends its thread would come again without end.
    else if (settled.outcome === "done" || (isPoison && this.#options.moveFailed === undefined))
      await claimed.done(settled.exchange);
    else await claimed.failed(settled.exchange);
    return settled.outcome !== "lost";
  }

  #messageOf(message: NewMessage): NewMessage {
    const { reply } = this.#files.system;
    return {
      ...message,
      headers: [
        ...(message.headers ?? []),
        ["CamelFileHost", this.#host],
        ...(reply === undefined ? [] : replyHeaders(reply)),
      ],
    };
  }
}

export function replyHeaders({
  code,
  text,
}: {
  readonly code: number;
  readonly text: string;
}): readonly (readonly [name: string, value: unknown])[] {
  return [
    ["CamelFtpReplyCode", code],
    ["CamelFtpReplyString", text],
  ];
}
