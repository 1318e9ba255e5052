/** Has check threads read the documents of mappings: for a PUT, the boot load, a trial and an export. */
import { availableParallelism } from "node:os";
import { AppError } from "../../shared/errors.ts";
import type { Limits } from "../../shared/limits.ts";
import type {
  MappingCheckRequest,
  MappingData,
  MappingKind,
  MappingTrialRequest,
  ValueTrialRequest,
} from "../../shared/mapping.ts";
import type { CheckPool } from "../flows/check-pool.ts";
import type { DocumentStore, StoredDocument } from "../stores/documents.ts";
import { Gate } from "../threads/waiting.ts";
import { type AcceptedMapping, readCheckAnswer, readTextAnswer, readTrialAnswer } from "./mapping-answers.ts";
import { dataOf, type HeldMapping, type KnownMapping, type MappingRegister, nameOf } from "./mapping-register.ts";

/** The most value mappings that one message mapping may use. */
const mostTables = 100;

/** A document to check. */
export interface MappingDocument {
  readonly kind: MappingKind;
  readonly id: string;
  readonly media: "json" | "csv";
  readonly bytes: Uint8Array;
  /** true: it comes from the store, and was accepted before. */
  readonly stored: boolean;
}

export class MappingChecks {
  readonly #pool: CheckPool;
  readonly #limits: Limits;
  readonly #table: (id: string) => MappingData | undefined;

  /** `table`: returns the current value mapping of this id. */
  constructor(pool: CheckPool, limits: Limits, table: (id: string) => MappingData | undefined) {
    this.#pool = pool;
    this.#limits = limits;
    this.#table = table;
  }

  /** Throws AppErrors: mapping_invalid with the first problem and the number of the others; bad_json. */
  async check({ kind, id, media, bytes, stored }: MappingDocument): Promise<AcceptedMapping> {
    const wanted = new Set<string>();
    for (;;) {
      const { tables, absent } = this.#tables(nameOf(kind, id), wanted);
      const document = new Uint8Array(bytes);
      const request: MappingCheckRequest = { kind, id, media, document, tables, absent, limits: this.#limits, stored };
      const answered = await this.#task("checkMapping", request, nameOf(kind, id), "checking", [document.buffer]);
      const answer = readCheckAnswer(answered, kind, this.#limits);
      if ("accepted" in answer) return answer.accepted;
      if ("problems" in answer) {
        if (answer.malformed) throw new AppError("bad_json", answer.problems[0] ?? "the body is not JSON");
        throw invalid(nameOf(kind, id), answer.problems);
      }
      want(wanted, answer.needs);
    }
  }

  /**
   * Maps a message and returns JSON; undefined: `held` is, and the body has no document in its place. Throws AppErrors
   * `bad_json`, `bad_request`, `mapping_invalid`.
   */
  async try(id: string, held: HeldMapping | undefined, body: Uint8Array): Promise<string | undefined> {
    const name = nameOf("message", id);
    const wanted = new Set(held?.facts.uses);
    for (;;) {
      const { tables, absent } = this.#tables(name, wanted);
      const request: MappingTrialRequest = {
        ...{ id, mapping: held?.data, tables, absent },
        ...{ body: new Uint8Array(body), limits: this.#limits },
      };
      const answered = readTrialAnswer(await this.#task("tryMapping", request, name, "trying"));
      if ("answer" in answered) return answered.answer;
      if ("unknown" in answered) return undefined;
      if ("problem" in answered)
        throw new AppError(answered.malformed === true ? "bad_json" : "bad_request", answered.problem);
      want(wanted, answered.needs);
    }
  }

  /** Checks a value mapping's document, and looks a value up in it. Returns JSON. Throws AppErrors `bad_json`, `bad_request`. */
  async tryValues(id: string, body: Uint8Array): Promise<string> {
    const name = nameOf("value", id);
    const request: ValueTrialRequest = { body: new Uint8Array(body), limits: this.#limits };
    let answered: unknown;
    try {
      answered = await this.#task("tryValues", request, name, "trying", [request.body.buffer as ArrayBuffer]);
    } catch (error) {
      // What a document is refused for is the answer.
      if (!(error instanceof AppError) || error.code !== "mapping_invalid") throw error;
      return JSON.stringify({ problems: [{ pointer: "", message: error.message }], problemCount: 1, warnings: [] });
    }
    const result = readTextAnswer(answered);
    if ("answer" in result) return result.answer;
    throw new AppError(result.malformed === true ? "bad_json" : "bad_request", result.problem);
  }

  /** Returns the table as CSV; `document`: the stored text. Throws AppError mapping_invalid for a mapping without a table. */
  async exportCsv(id: string, document: Uint8Array): Promise<string> {
    const name = nameOf("value", id);
    const answered = readTextAnswer(await this.#task("exportCsv", document, name, "exporting"));
    if ("answer" in answered) return answered.answer;
    throw invalid(name, [answered.problem]);
  }

  /** Throws AppError mapping_invalid when these are too many for one mapping. */
  #tables(name: string, wanted: ReadonlySet<string>): Pick<MappingTrialRequest, "tables" | "absent"> {
    if (wanted.size > mostTables)
      throw invalid(name, [`it uses more than ${mostTables} value mappings: make several mappings of it`]);
    const tables = [...wanted].map((id) => this.#table(id)).filter((data) => data !== undefined);
    const given = new Set(tables.map(({ id }) => id));
    return { tables, absent: [...wanted].filter((id) => !given.has(id)) };
  }

  async #task(
    task: string,
    request: unknown,
    name: string,
    doing: string,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<unknown> {
    const { mappingCheckMs } = this.#limits;
    const result = await this.#pool.task(task, request, this.#limits, mappingCheckMs, transfer);
    if (!("failed" in result)) return result.answer;
    const what = {
      late: `${doing} it took longer than ${mappingCheckMs} ms: make it simpler, or try again when the machine is less busy`,
      memory: `${doing} it needed too much memory: make it simpler or smaller`,
      ended: `the thread that was ${doing} it ended: change it, or look for a fault in the runtime`,
    }[result.failed];
    throw invalid(name, [what]);
  }
}

function want(wanted: Set<string>, needs: readonly string[]): void {
  const before = wanted.size;
  for (const name of needs) wanted.add(name);
  if (wanted.size === before) throw new Error("a check asks for what it has");
}

/** `value mapping 'order-status': /rows/3: ...; 2 more problems` */
export function invalid(name: string, problems: readonly string[]): AppError {
  const more = problems.length - 1;
  const rest = more < 1 ? "" : `; ${more} more problem${more === 1 ? "" : "s"}`;
  return new AppError("mapping_invalid", `${name}: ${problems[0] ?? "it was not accepted"}${rest}`);
}

/**
 * The boot load: each stored document is checked again, since the data that threads need is not stored. A broken mapping is listed
 * with its problem, and `onProblem` is called with it; the others load all the same.
 */
export async function loadMappings(
  kind: MappingKind,
  store: DocumentStore,
  register: MappingRegister,
  checks: MappingChecks,
  onProblem: (problem: string) => void,
): Promise<void> {
  const { documents, broken } = await store.load();
  const gate = new Gate(availableParallelism());
  const checked = documents.map((document) => gate.pass(() => load(kind, document, checks)));
  const known: KnownMapping[] = [...broken, ...(await Promise.all(checked))];
  for (const mapping of known) {
    register.set(kind, mapping);
    if (mapping.problem !== undefined) onProblem(`the ${nameOf(kind, mapping.id)} cannot be used: ${mapping.problem}`);
  }
}

async function load(kind: MappingKind, document: StoredDocument, checks: MappingChecks): Promise<KnownMapping> {
  const { text, ...version } = document;
  const { id } = version;
  try {
    const sent = { kind, id, media: "json", bytes: Buffer.from(text, "utf8"), stored: true } as const;
    const { data, facts } = await checks.check(sent);
    return { id, version, facts, data: dataOf(kind, version, data) };
  } catch (error) {
    if (error instanceof AppError && error.code === "draining") throw error;
    const problem = error instanceof AppError ? error.message : "an internal error: send it again";
    return { id, version, problem };
  }
}
