/**
 * A file system in memory that can return what a loss of power would leave of it. What was not synced may be there or
 * not: of a file's content all, none, a part, or zeros; of a directory's names any that do not build on one that is
 * lost.
 */
import { basename, dirname } from "node:path";
import type { FsPort } from "../../../src/control/stores/fs-port.ts";
import { epochMs } from "../../support/clock.ts";
import { systemError } from "./hooked-fs.ts";
import type { Choose } from "./outcomes.ts";

interface FileNode {
  readonly kind: "file";
  readonly serial: number;
  content: Uint8Array;
  durable: Uint8Array;
}

interface DirectoryNode {
  readonly kind: "directory";
  entries: Map<string, Node>;
  durable: Map<string, Node>;
  /** Since the last sync. */
  unsynced: NameChange[];
}

type Node = FileNode | DirectoryNode;

/** `from`: the name that it had before; `node` undefined: the name is removed. */
interface NameChange {
  readonly name: string;
  readonly from?: string;
  readonly node: Node | undefined;
}

export class CrashFs implements FsPort {
  readonly #root: DirectoryNode;
  #serial = 0;

  constructor(root: DirectoryNode = newDirectory()) {
    this.#root = root;
  }

  /** The disk after a loss of power now. */
  afterPowerLoss(choose: Choose): CrashFs {
    return new CrashFs(settled(this.#root, choose) as DirectoryNode);
  }

  /** Content by path, of what a process sees; directories end in a slash. */
  files(): Map<string, Uint8Array> {
    const found = new Map<string, Uint8Array>();
    const walk = (directory: DirectoryNode, path: string): void => {
      for (const [name, node] of [...directory.entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
        if (node.kind === "file") found.set(`${path}${name}`, node.content);
        else {
          found.set(`${path}${name}/`, new Uint8Array());
          walk(node, `${path}${name}/`);
        }
      }
    };
    walk(this.#root, "/");
    return found;
  }

  /** Writes a file as an editor does, synced; null deletes it. */
  edit(path: string, text: string | null): void {
    const directory = this.#directory(dirname(path));
    for (const entries of [directory.entries, directory.durable]) {
      if (text === null) entries.delete(basename(path));
      else entries.set(basename(path), this.#file(new TextEncoder().encode(text), true));
    }
  }

  async names(directory: string) {
    return [...this.#directory(directory).entries.keys()];
  }

  async facts(path: string) {
    const node = this.#find(path);
    if (node === undefined) return undefined;
    const file = node.kind === "file" ? node : undefined;
    const bytes = file?.content.length ?? 0;
    // Young, so that no reader takes what it has read before for what it would read now.
    return { kind: node.kind, bytes, modifiedMs: file?.serial ?? 0, changedMs: epochMs(), stamp: `${file?.serial}` };
  }

  async realPath(path: string) {
    this.#existing(path);
    return path;
  }

  async read(path: string) {
    const node = this.#existing(path);
    if (node.kind !== "file") throw systemError("EISDIR");
    return node.content;
  }

  async create(path: string) {
    const directory = this.#directory(dirname(path));
    if (directory.entries.has(basename(path))) throw systemError("EEXIST");
    const file = this.#file(new Uint8Array(), false);
    change(directory, { name: basename(path), node: file });
    return {
      async write(content: Uint8Array) {
        file.content = Uint8Array.from([...file.content, ...content]);
      },
      async sync() {
        file.durable = file.content;
      },
      async close() {},
    };
  }

  async rename(from: string, to: string) {
    if (dirname(from) !== dirname(to)) throw new Error("the store renames within a directory");
    change(this.#directory(dirname(to)), { name: basename(to), from: basename(from), node: this.#existing(from) });
  }

  async unlink(path: string) {
    this.#existing(path);
    change(this.#directory(dirname(path)), { name: basename(path), node: undefined });
  }

  async makeDirectory(path: string) {
    let first: string | undefined;
    for (const one of ancestors(path)) {
      if (this.#find(one) !== undefined) continue;
      change(this.#directory(dirname(one)), { name: basename(one), node: newDirectory() });
      first ??= one;
    }
    return first;
  }

  async syncDirectory(path: string) {
    const directory = this.#directory(path);
    directory.durable = new Map(directory.entries);
    directory.unsynced = [];
  }

  async mayWrite(path: string) {
    this.#directory(path);
  }

  #file(content: Uint8Array, synced: boolean): FileNode {
    return { kind: "file", serial: ++this.#serial, content, durable: synced ? content : new Uint8Array() };
  }

  #find(path: string): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const name of path.split("/").filter((part) => part !== "")) {
      if (node?.kind !== "directory") return undefined;
      node = node.entries.get(name);
    }
    return node;
  }

  #existing(path: string): Node {
    const node = this.#find(path);
    if (node === undefined) throw systemError("ENOENT");
    return node;
  }

  #directory(path: string): DirectoryNode {
    const node = this.#existing(path);
    if (node.kind !== "directory") throw systemError("ENOTDIR");
    return node;
  }
}

function newDirectory(): DirectoryNode {
  return { kind: "directory", entries: new Map(), durable: new Map(), unsynced: [] };
}

function change(directory: DirectoryNode, one: NameChange): void {
  apply(directory.entries, one);
  directory.unsynced.push(one);
}

function apply(entries: Map<string, Node>, { name, from, node }: NameChange): void {
  if (from !== undefined) entries.delete(from);
  if (node === undefined) entries.delete(name);
  else entries.set(name, node);
}

/** `path` and the directories above it but the root, topmost first. */
function ancestors(path: string): string[] {
  return path === "/" ? [] : [...ancestors(dirname(path)), path];
}

function settled(node: Node, choose: Choose): Node {
  if (node.kind === "file") {
    const content = contentAfter(node, choose);
    return { kind: "file", serial: node.serial, content, durable: content };
  }
  const names = new Map(node.durable);
  for (const one of node.unsynced) {
    const buildsOn = one.from ?? (one.node === undefined ? one.name : undefined);
    const possible = buildsOn === undefined || names.has(buildsOn);
    if (possible && choose(2) === 1) apply(names, one);
  }
  const entries = new Map([...names].map(([name, entry]) => [name, settled(entry, choose)]));
  return { kind: "directory", entries, durable: new Map(entries), unsynced: [] };
}

function contentAfter({ content, durable }: FileNode, choose: Choose): Uint8Array {
  if (content === durable || content.length === 0) return content;
  const left = [durable, content.subarray(0, content.length >> 1), new Uint8Array(content.length), content];
  return left[choose(left.length)] as Uint8Array;
}
