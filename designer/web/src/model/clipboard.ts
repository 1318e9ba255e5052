/** Copies and pastes steps as YAML text. */
import { isSeq } from "yaml";
import { contentOf, hasAnchors, readContent } from "./content.ts";
import { applyChanges, parse } from "./document.ts";
import { newStepId, stepIds } from "./ids.ts";
import type { Content } from "./items.ts";
import { editable, placeAt, valueAt } from "./place.ts";
import { EditRefused } from "./refused.ts";
import { setOption } from "./set-option.ts";
import { contentAt, insertContent } from "./steps.ts";
import { tree } from "./tree.ts";
import type { Change, FlowText, Path } from "./types.ts";

/** Returns steps as a YAML list at column 0, as they are written; what aliases stand for is written out. */
export function copySteps(flow: FlowText, itemPaths: readonly Path[]): string {
  const expand = hasAnchors(flow);
  const lines = itemPaths.flatMap((path) => {
    const place = placeAt(flow, path);
    if (place === undefined) throw new EditRefused("nowhere");
    return expand || !isSeq(place.parent) ? contentOf([valueAt(flow, path)]).lines : contentAt(flow, place).lines;
  });
  return lines.map((line) => `${line}\n`).join("");
}

/** Inserts copied steps; ids that the flow has already are replaced by free ones. */
export function pasteSteps(flow: FlowText, stepsPath: Path, index: number, copied: string): Change[] {
  editable(flow);
  return insertContent(flow, stepsPath, index, withFreeIds(readContent(copied), stepIds(tree(flow))));
}

/** Inserts a copy of a step behind it, with ids of its own. */
export function duplicateStep(flow: FlowText, itemPath: Path): Change[] {
  return pasteSteps(flow, itemPath.slice(0, -1), Number(itemPath.at(-1)) + 1, copySteps(flow, [itemPath]));
}

function withFreeIds(content: Content, taken: ReadonlySet<string>): Content {
  const all = new Set(taken);
  let flow = parse(content.lines.join("\n"));
  // The steps of a list are read as those of a route.
  for (const { name, id, idPath } of idsOf(flow)) {
    if (!all.has(id)) {
      all.add(id);
      continue;
    }
    const free = newStepId(name, all);
    all.add(free);
    flow = parse(applyChanges(flow.text, setOption(flow, idPath, free)));
  }
  return { lines: flow.text.split("\n"), values: valueAt(flow, []) as unknown[] };
}

/** Ids of the steps of a list, and of the steps and branches inside of them. */
function* idsOf(flow: FlowText): Generator<{ name: string; id: string; idPath: Path }> {
  const wrapped = tree(flow, { steps: true });
  const pending = [...(wrapped.routes[0]?.steps ?? [])];
  for (let step = pending.shift(); step !== undefined; step = pending.shift()) {
    if (step.id !== undefined) yield { name: step.name, id: step.id, idPath: [...step.path, step.idKey] };
    for (const branch of step.branches) {
      const own = branch.path.length > step.path.length;
      if (own && branch.id !== undefined) yield { name: branch.kind, id: branch.id, idPath: [...branch.path, "id"] };
      pending.push(...branch.steps);
    }
  }
}
