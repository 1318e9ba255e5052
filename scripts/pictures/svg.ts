/** A terminal's screen as a picture: text with the escape sequences of colours, as tmux captures it, becomes SVG. */
import { columnsOf } from "../../src/cli/columns.ts";

/** Pixels of a character at the size below, of a line, and around the text. */
const [cell, leading, margin] = [8.4, 19, 16];

const colours: Readonly<Record<string, string>> = {
  red: "#ff7b72",
  green: "#7ee787",
  yellow: "#e3b341",
  blue: "#79c0ff",
  magenta: "#d2a8ff",
  cyan: "#56d4dd",
};
const names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

const css = [
  "text{font:14px ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre;fill:#e6edf3}",
  ".bold{font-weight:700}.dim{fill-opacity:.6}",
  ...Object.entries(colours).map(([name, colour]) => `.${name}{fill:${colour}}`),
].join("");

/** `lines`: without those that are empty at the end. */
export function svgOf(lines: readonly string[], columns: number, title: string): string {
  const style = new Set<string>();
  const [width, height] = [columns * cell + 2 * margin, lines.length * leading + 2 * margin];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${css}</style>`,
    `<rect width="100%" height="100%" rx="8" fill="#161b22"/>`,
    ...lines.flatMap((line, at) => textsOf(line, margin + (at + 1) * leading - 5, style)),
    "</svg>",
    "",
  ].join("\n");
}

/** An element for each run of characters in one style, which the next line begins with. Its length is given, so that columns stand below each other in any font. */
function textsOf(line: string, y: number, style: Set<string>): string[] {
  let column = 0;
  const texts: string[] = [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is read
  for (const [, codes, run = ""] of line.matchAll(/\u001b\[([\d;]*)m|((?:(?!\u001b\[)[\s\S])+)/g)) {
    if (codes !== undefined) for (const code of codes.split(";")) restyle(style, Number(code));
    else {
      const text = run.trim();
      const before = run.length - run.trimStart().length;
      if (text !== "") {
        const x = (margin + (column + before) * cell).toFixed(1);
        const length = (columnsOf(text) * cell).toFixed(1);
        const classes = style.size === 0 ? "" : ` class="${[...style].join(" ")}"`;
        texts.push(`<text x="${x}" y="${y}" textLength="${length}"${classes}>${escaped(text)}</text>`);
      }
      column += columnsOf(run);
    }
  }
  return texts;
}

/** Throws for what the pictures do not have yet, such as backgrounds. */
function restyle(style: Set<string>, code: number): void {
  const colour = names[code - 30];
  if (code === 0) style.clear();
  else if (code === 1) style.add("bold");
  else if (code === 2) style.add("dim");
  else if (code === 22) for (const one of ["bold", "dim"]) style.delete(one);
  else if (code === 39 || colour !== undefined) {
    for (const one of names) style.delete(one);
    if (colour !== undefined) style.add(colour);
  } else if (code !== 49) throw new Error(`the escape sequence of the style ${code} is not known`);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
