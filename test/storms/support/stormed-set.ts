/** A set whose every version has other parts: what it sends, and what of it is found on the disk and served. */
import type { Server } from "./server.ts";
import { flows, type Kind, type Listed, messageMappings, policies, valueMappings } from "./stormed-things.ts";

/** 0: there is no set. */
export type SetVersion = number;

interface Part {
  readonly kind: Kind;
  readonly id: string;
}

const partsOf = (kind: Kind, name: string, count: number): Part[] =>
  Array.from({ length: count }, (_, n) => ({ kind, id: `${name}-${n}` }));

const setName = "stormed";
/** Of a hundred, how many parts a version has. */
const share = 85;

export class StormedSet {
  readonly parts: readonly Part[] = [
    ...partsOf(flows, "flow", 59),
    ...partsOf(valueMappings, "codes", 18),
    ...partsOf(messageMappings, "order", 12),
    ...partsOf(policies, "guarded", 30),
  ];
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Whether the version has the part, which comes again with the same seed. */
  #has(version: SetVersion, index: number): boolean {
    if (version === 0) return false;
    const mixed = Math.imul(this.#seed ^ Math.imul(version, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % 100 < share;
  }

  document(version: SetVersion): object {
    const bodies = (kind: Kind) =>
      this.parts.flatMap((part, index) =>
        part.kind === kind && this.#has(version, index)
          ? [{ id: part.id, body: JSON.parse(kind.body(part.id, version)) as Record<string, unknown> }]
          : [],
      );
    return {
      set: setName,
      flows: bodies(flows).map(({ id, body }) => ({ id, ...body })),
      mappings: [
        ...bodies(valueMappings).map(({ id, body }) => ({ kind: "value", id, document: body })),
        ...bodies(messageMappings).map(({ id, body }) => ({ kind: "message", id, document: body })),
      ],
      policies: bodies(policies).map(({ id, body }) => ({ flowId: id, policy: body })),
    };
  }

  /** How many parts of `before` the version does not have. */
  removals(before: SetVersion, version: SetVersion): number {
    return this.parts.filter((_, index) => this.#has(before, index) && !this.#has(version, index)).length;
  }

  /** The version of each part; 0: it is not there, undefined: it is torn. */
  onDisk(directory: string): Promise<readonly (SetVersion | undefined)[]> {
    return Promise.all(this.parts.map(({ kind, id }) => kind.onDisk(directory, id)));
  }

  /** How many parts are not as the version has them. */
  differences(found: readonly (SetVersion | undefined)[], version: SetVersion): number {
    return found.filter((one, index) => one !== (this.#has(version, index) ? version : 0)).length;
  }

  /** Parts that the API and the flows do not serve as they are on the disk. */
  async served(server: Server, found: readonly (SetVersion | undefined)[]): Promise<string[]> {
    const lists = new Map<Kind, readonly Listed[]>();
    for (const kind of [flows, valueMappings, messageMappings])
      lists.set(kind, (await (await server.api(kind.path("").slice(0, -1))).json()) as readonly Listed[]);
    const problems: string[] = [];
    for (const [index, { kind, id }] of this.parts.entries()) {
      const { version, seen } = await kind.served(server, id, lists.get(kind) ?? []);
      if (version !== found[index])
        problems.push(`the ${kind.name} ${id} is version ${found[index]} on the disk, ${seen}`);
    }
    return problems;
  }
}
