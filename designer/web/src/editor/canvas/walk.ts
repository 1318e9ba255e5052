/** Walks over the nodes by arrow keys: up and down as the text has them, to the sides as they are drawn. */

/** @returns the key of the node that an arrow leads to */
export function nodeBeside(canvas: HTMLElement, from: HTMLElement | undefined, arrow: string): string | undefined {
  const nodes = [...canvas.querySelectorAll<HTMLElement>("[data-key]")];
  const at = from === undefined ? -1 : nodes.indexOf(from);
  const next =
    arrow === "Home" || from === undefined
      ? nodes[0]
      : arrow === "End"
        ? nodes.at(-1)
        : arrow === "ArrowDown"
          ? nodes[at + 1]
          : arrow === "ArrowUp"
            ? nodes[Math.max(0, at - 1)]
            : aside(nodes, from, arrow === "ArrowRight" ? 1 : -1);
  return next?.dataset["key"];
}

/** The nearest node on a side: what is higher or lower counts more than what is farther away. */
function aside(nodes: readonly HTMLElement[], from: HTMLElement, by: 1 | -1): HTMLElement | undefined {
  const here = centreOf(from);
  const half = from.offsetWidth / 2;
  const candidates = nodes
    .map((node) => ({ node, at: centreOf(node) }))
    .filter(({ node, at }) => node !== from && (at.x - here.x) * by > half)
    .map(({ node, at }) => ({ node, far: Math.abs(at.y - here.y) * 2 + Math.abs(at.x - here.x) }));
  candidates.sort((one, other) => one.far - other.far);
  return candidates[0]?.node;
}

function centreOf(node: HTMLElement): { readonly x: number; readonly y: number } {
  const { left, top, width, height } = node.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
