/** What lines between routes need to know of the drawing: where cards and columns are, in the drawing's own pixels. */

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A route, or what stands beside routes. */
export interface Column extends Box {
  /** What no line may cross: cards, and texts between them; empty for a column without calls out of branches. */
  readonly obstacles: readonly Box[];
}

/** Branches that a card stands in: its own branch, and the frame around that branch and those beside it. */
export interface Frame {
  readonly branch: Box;
  readonly around: Box;
}

export interface Call {
  /** The keys of the card that calls, and of the one that the line leads to. */
  readonly from: string;
  readonly to: string;
  readonly isQueue: boolean;
  readonly card: Box;
  readonly column: { readonly row: "routes" | "others"; readonly index: number };
  /** From the innermost to the outermost one. */
  readonly frames: readonly Frame[];
  /** The route that is called, and the card at its start. */
  readonly route: number;
  readonly start: Box;
}

export interface Layout {
  /** From the left to the right. */
  readonly routes: readonly Column[];
  /** Above the routes, in one or more rows. */
  readonly others: readonly Column[];
  readonly calls: readonly Call[];
}

export interface LineEnds {
  readonly from: string;
  readonly to: string;
  readonly isQueue: boolean;
}

const obstacles = ".node, .link-chip, .branch-name, .branch-add";

/**
 * Reads all places at once, so that the browser lays the page out at most once. Calls whose ends are not drawn are left
 * out. `zoom`: the scale of the drawing.
 */
export function readLayout(page: HTMLElement, ends: readonly LineEnds[], zoom: number): Layout {
  const origin = page.getBoundingClientRect();
  const boxOf = (element: Element): Box => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return {
      left: (left - origin.left) / zoom,
      top: (top - origin.top) / zoom,
      right: (right - origin.left) / zoom,
      bottom: (bottom - origin.top) / zoom,
    };
  };
  const routes = [...page.querySelectorAll(":scope > .routes > .route")];
  const others = [...page.querySelectorAll(":scope > .others > .other")];
  const cards = new Map(
    [...page.querySelectorAll<HTMLElement>(".node[data-key]")].map((card) => [card.dataset["key"] ?? "", card]),
  );
  const calling = new Set<Element>();
  const calls = ends.flatMap(({ from, to, isQueue }): Call[] => {
    const [card, start] = [cards.get(from), cards.get(to)];
    const called = start?.closest(".routes > .route");
    const own = card?.closest(".routes > .route, .others > .other");
    if (card === undefined || start === undefined || !called || !own) return [];
    const frames = framesOf(card, own, boxOf);
    // What stands beside a card outside of branches is in no line's way.
    if (frames.length > 0) calling.add(own);
    const [inRoutes, inOthers] = [routes.indexOf(own), others.indexOf(own)];
    return [
      {
        ...{ from, to, isQueue, card: boxOf(card), frames },
        column: inRoutes >= 0 ? { row: "routes", index: inRoutes } : { row: "others", index: inOthers },
        ...{ route: routes.indexOf(called), start: boxOf(start) },
      },
    ];
  });
  const columnOf = (element: Element): Column => ({
    ...boxOf(element),
    obstacles: calling.has(element) ? [...element.querySelectorAll(obstacles)].map(boxOf) : [],
  });
  return { routes: routes.map(columnOf), others: others.map(columnOf), calls };
}

function framesOf(card: Element, column: Element, boxOf: (element: Element) => Box): readonly Frame[] {
  const frames: Frame[] = [];
  let branch = card.closest(".branch");
  while (branch !== null && column.contains(branch)) {
    const around = branch.closest(".branches");
    if (around === null) break;
    frames.push({ branch: boxOf(branch), around: boxOf(around) });
    branch = around.closest(".branch");
  }
  return frames;
}
