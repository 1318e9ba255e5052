/** The directory of an endpoint, and what names mean in it: paths as text, of which none leads out of the flow's own area. */
import { basename, dirname, join, posix, relative, sep } from "node:path";
import { FlowException } from "../../engine/exception.ts";

const longestShown = 200;

export class FileArea {
  /** The flow's area, a path of the machine. */
  readonly root: string;
  /** The endpoint's directory, from the area on; "" is the area itself. */
  readonly name: string;
  readonly path: string;

  /** Throws for a directory that is outside of the area. */
  constructor(root: string, directory: string) {
    this.root = root;
    this.name = directoryName(directory);
    this.path = join(root, this.name);
  }

  /** The path of a file named from the endpoint's directory on (Camel: jailStartingDirectory). Throws IllegalArgumentException. */
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
   * The same for a name that may lead out of the endpoint's directory, though not out of the area; with a `/` at its front it
   * begins at the area. A name that begins with the endpoint's directory is one from the area on, as `${file:parent}` is
   * (Camel: GenericFile.changeFileName).
   */
  anywhere(name: string): string {
    const text = plain(name);
    const named = text.startsWith("/") || (this.name !== "" && text.startsWith(`${this.name}/`));
    const whole = named ? posix.normalize(text.replace(/^\/+/, "")) : posix.join(this.name, text);
    if (!isWithin(whole, "")) throw outside(name);
    return join(this.root, whole);
  }

  /** A path of the machine as flows see it: from the area on. */
  shown(path: string): string {
    return slashes(relative(this.root, path));
  }

  /** A path of the machine, from the endpoint's directory on. */
  relative(path: string): string {
    return slashes(relative(this.path, path));
  }

  /** The path of a name beside a file. */
  beside(path: string, name: string): string {
    const whole = posix.join(this.shown(dirname(path)), plain(name));
    if (!isWithin(whole, "")) throw outside(name);
    return join(this.root, whole);
  }
}

/** The last part of a name. */
export function onlyName(name: string): string {
  return basename(plain(name));
}

/** A directory as an endpoint names it: `./a/../b/` and `/b` are `b`. Throws for one outside of the area. */
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

/** With the separators of this machine, and none at the end (Camel: FileUtil.normalizePath, java.io.File). */
function plain(name: string): string {
  if (name.includes("\0")) throw outside(name);
  return name.replaceAll("\\", "/").replace(/(?<=.)\/+$/, "");
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
