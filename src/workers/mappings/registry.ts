/**
 * The mappings of a flow's thread. An update makes a new snapshot; each run keeps the snapshot that was current when it
 * began.
 */
import type { MappingData, MappingKey, MappingKind, MappingUse } from "../../shared/mapping.ts";
import type { Exchange } from "../engine/exchange.ts";
import { LateModule } from "../engine/late-module.ts";
import { type Mappings, type MessageMapping, missing, type ValueLookup } from "../engine/mappings.ts";
import { xmlLibrary } from "../formats/xml-reader.ts";
import { jsonataLibrary } from "../languages/jsonata/library.ts";
import { valueLookup } from "./value-lookup.ts";

const messages = new LateModule(() => import("./message-mapping.ts"));

type Params = Readonly<Record<string, string>>;

/** A mapping that is compiled when a run first uses it. Snapshots share unchanged ones. */
class Lazy<T> {
  readonly #make: () => T;
  #made: T | undefined;

  constructor(make: () => T) {
    this.#make = make;
  }

  get value(): T {
    this.#made ??= this.#make();
    return this.#made;
  }
}

class Snapshot implements Mappings<Exchange> {
  readonly #values: ReadonlyMap<string, Lazy<ValueLookup>>;
  readonly #messages: ReadonlyMap<string, Lazy<MessageMapping<Exchange>>>;

  constructor(
    values: ReadonlyMap<string, Lazy<ValueLookup>> = new Map(),
    messages: ReadonlyMap<string, Lazy<MessageMapping<Exchange>>> = new Map(),
  ) {
    this.#values = values;
    this.#messages = messages;
  }

  value(id: string): ValueLookup {
    return (this.#values.get(id) ?? missing("value", id)).value;
  }

  message(id: string): MessageMapping<Exchange> {
    return (this.#messages.get(id) ?? missing("message", id)).value;
  }

  with(changed: readonly MappingData[], gone: readonly MappingKey[], params: Params): Snapshot {
    const goneOf = (kind: MappingKind) => gone.filter((key) => key.kind === kind);
    const values = new Map(this.#values);
    const maps = new Map(this.#messages);
    for (const { id } of goneOf("value")) values.delete(id);
    for (const { id } of goneOf("message")) maps.delete(id);
    for (const { kind, id, data } of changed) {
      if (kind === "value") values.set(id, new Lazy(() => valueLookup(id, data)));
      else maps.set(id, new Lazy(() => messages.module().messageMapping(id, data, params)));
    }
    return new Snapshot(values, maps);
  }
}

export class MappingRegistry {
  #current = new Snapshot();
  readonly #params: Params;

  /** `params`: the parameters of the flow. */
  constructor(params: Params) {
    this.#params = params;
  }

  /** Loads the libraries that these mappings need; called before the flow's first run. */
  static async prepare(uses: readonly MappingUse[]): Promise<void> {
    if (uses.some(({ kind }) => kind === "message")) await Promise.all([messages.load(), messageModules.load()]);
  }

  /** The snapshot for a run that begins now. */
  get current(): Mappings<Exchange> {
    return this.#current;
  }

  update(changed: readonly MappingData[], gone: readonly MappingKey[]): void {
    this.#current = this.#current.with(changed, gone, this.#params);
  }
}

/**
 * The libraries that message mappings may need. A flow that uses a message mapping loads all of them, so that an update
 * of the mapping never waits.
 */
export const messageModules = new LateModule(async () => {
  await jsonataLibrary.load();
  await xmlLibrary.load();
  return true;
});
