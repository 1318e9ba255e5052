/** Connections to the runtimes. */
import type { Readable } from "node:stream";
import { type Dispatcher, Pool } from "undici";
import type { Target } from "../../shared/wire.ts";
import { limits } from "../limits.ts";
import { codeOf, messageOf, Refused } from "../refused.ts";
import type { TargetSettings } from "../targets.ts";

export interface UpstreamRequest {
  readonly method: string;
  /** With the query, as it is sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable | Buffer | string | null;
  readonly signal: AbortSignal;
}

export class Upstream {
  readonly #settings: TargetSettings;
  readonly #pool: Pool;
  readonly #base: string;

  constructor(settings: TargetSettings) {
    const { origin, pathname } = new URL(settings.url);
    this.#settings = settings;
    this.#base = pathname.replace(/\/$/, "");
    this.#pool = new Pool(origin, {
      connections: limits.proxyConnections,
      pipelining: 1,
      headersTimeout: limits.proxyHeadersMs,
      // Event streams are silent for long, and the runtime ends what takes too long.
      bodyTimeout: 0,
    });
  }

  get facts(): Target {
    const { name, label, url } = this.#settings;
    return { name, label, url };
  }

  /** The value of the header Authorization. */
  get authorization(): string | undefined {
    const token = this.#settings.token();
    return token === undefined ? undefined : `Bearer ${token}`;
  }

  /** Throws Refused when the runtime does not answer. */
  async request({ path, method, ...request }: UpstreamRequest): Promise<Dispatcher.ResponseData> {
    try {
      return await this.#pool.request({
        ...request,
        method: method as Dispatcher.HttpMethod,
        path: `${this.#base}${path}`,
      });
    } catch (error) {
      if (error instanceof Refused || request.signal.aborted || codeOf(error) === "UND_ERR_INVALID_ARG") throw error;
      const { label, url } = this.#settings;
      if (codeOf(error) === "UND_ERR_HEADERS_TIMEOUT")
        throw new Refused(504, `the runtime '${label}' at ${url} takes too long to answer: look at its log`);
      throw new Refused(
        502,
        `the runtime '${label}' at ${url} does not answer (${reasonOf(error)}): is it running, and is its address right?`,
      );
    }
  }

  /** For an answer 401: the runtime does not know the designer's token, which is nothing that its user can mend by logging in. */
  refusedToken(): Refused {
    const { label, url, tokenFrom } = this.#settings;
    return new Refused(
      502,
      `the runtime '${label}' at ${url} does not take the designer's token: ${tokenFrom} must be the runtime's deploy token`,
      {
        headers: { "X-Error-Code": "target_unauthorized" },
      },
    );
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

/** One word of a system error is enough, and has no address that a name resolves to. */
function reasonOf(error: unknown): string {
  return codeOf(error) ?? messageOf(error).slice(0, 100);
}
