/**
 * The directory of an endpoint, and the paths of names in it. Paths are checked as text, and none leads out of the
 * flow's own area.
 */
import { basename, dirname, join, posix, relative, sep } from "node:path";
import { FlowException } from "../../engine/exception.ts";

const longestShown = 200;

export class FileArea {
  /** The flow's area, as a path of the machine. */
  readonly root: string;
  /** The endpoint's directory, relative to the area; "" is the area itself. */
  readonly name: string;
  readonly path: string;

  /** Throws for a directory outside the area. */
  constructor(root: string, directory: string) {
    this.root = root;
    this.name = directoryName(directory);
    this.path = join(root, this.name);
  }

  /**
   * Returns the path of a file, whose name is relative to the endpoint's directory (Camel: jailStartingDirectory).
   * Throws IllegalArgumentException.
   */
  inside(name: string): string {
    const whole = posix.join(this.name, plain(name));
    if (!isWithin(whole, this.name)) {
      const jail = this.name === "" ? "the flow's directory" : `the starting directory: ${this.name}/`;
      const message = `Cannot write file with name: ${cut(whole)} as the filename is jailed to ${jail}`;
      throw new FlowException("java.lang.IllegalArgumentException", message);
    }
    return join(this.root, whole);
  }

  /**
   * As inside, for a name that may lead out of the endpoint's directory, but not out of the area. A name that begins
   * with `/`, or with the endpoint's directory, is relative to the area, as `${file:parent}` is (Camel:
   * GenericFile.changeFileName).
   */
  anywhere(name: string): string {
    const text = plain(name);
    const named = text.startsWith("/") || (this.name !== "" && text.startsWith(`${this.name}/`));
    const whole = named ? posix.normalize(text.replace(/^\/+/, "")) : posix.join(this.name, text);
    if (!isWithin(whole, "")) throw outside(name);
    return join(this.root, whole);
  }

  /** Returns a path of the machine relative to the area, as flows see it. */
  shown(path: string): string {
    return slashes(relative(this.root, path));
  }

  /** Returns a path of the machine relative to the endpoint's directory. */
  relative(path: string): string {
    return slashes(relative(this.path, path));
  }

  /** Returns the path of a name in the directory of a file. */
  beside(path: string, name: string): string {
    const whole = posix.join(this.shown(dirname(path)), plain(name));
    if (!isWithin(whole, "")) throw outside(name);
    return join(this.root, whole);
  }
}

/** Stands for a backslash that is part of a file's name. Half of a surrogate pair: no name of a file has it. */
const ownBackslash = "\udc5c";

/** Returns the text of a file's own name such that its backslashes stay in the name, and are no separators. */
export function asOwnName(name: string): string {
  return name.replaceAll("\\", ownBackslash);
}

/** Returns the last part of a name. */
export function onlyName(name: string): string {
  return basename(plain(name));
}

/** Normalizes the directory of an endpoint: `./a/../b/` and `/b` are `b`. Throws for one outside the area. */
export function directoryName(directory: string): string {
  if (directory.includes("${")) {
    throw new Error(
      `Invalid directory: ${cut(directory)}. Dynamic expressions with \${ } placeholders is not allowed. Use the fileName option to set the dynamic expression.`,
    );
  }
  const name = posix.normalize(plain(directory).replace(/^\/+/, "")).replace(/\/$/, "");
  if (!isWithin(name, "")) throw outside(directory);
  return name === "." ? "" : name;
}

/** Uses the separators of this machine, without one at the end (Camel: FileUtil.normalizePath, java.io.File). */
function plain(name: string): string {
  if (name.includes("\0")) throw outside(name);
  return name
    .replaceAll("\\", "/")
    .replaceAll(ownBackslash, "\\")
    .replace(/(?<=.)\/+$/, "");
}

function slashes(path: string): string {
  return path.split(sep).join("/");
}

function isWithin(path: string, directory: string): boolean {
  if (directory !== "") return path === directory || path.startsWith(`${directory}/`);
  return path !== ".." && !path.startsWith("../");
}

function outside(name: string): FlowException {
  const message = `the name '${cut(name)}' leads out of the flow's directory`;
  return new FlowException("java.lang.IllegalArgumentException", message);
}

function cut(text: string): string {
  const shown = text.replaceAll("\0", "\\0");
  return shown.length > longestShown ? `${shown.slice(0, longestShown)}...` : shown;
}
