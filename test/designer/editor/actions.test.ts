/** What the canvas does with steps: one step of the history each, on the text alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { copySelected, duplicateSelected, pasteText } from "../../../designer/web/src/editor/actions/clipboard.ts";
import {
  addBranchTo,
  addStep,
  moveSelected,
  moveSteps,
  removeSelected,
} from "../../../designer/web/src/editor/actions/edit-steps.ts";
import { currentItem, placeBehind, placeInside } from "../../../designer/web/src/editor/actions/places.ts";
import { keyOf } from "../../../designer/web/src/editor/session/items.ts";
import type { EditorSession } from "../../../designer/web/src/editor/session/session.ts";
import { allSteps } from "../../../designer/web/src/model/index.ts";
import { openText } from "./support/open-text.ts";

const list = [0, "route", "from", "steps"];
const yaml = `- route:
    id: orders
    from:
      uri: webhook
      steps:
        - log: { id: a, message: a }
        - log: { id: b, message: b } # stays with b
        - choice:
            id: way
            when:
              - simple: "\${body} > 5"
                steps:
                  - log: { id: c, message: c }
                  - log: { id: d, message: d }
        - log: { id: e, message: e }
`;

/** Ids of all steps in the order of the text. */
function ids(session: EditorSession): string {
  return allSteps(session.get().tree)
    .map(({ id = "?" }) => id)
    .join(" ");
}

function keys(session: EditorSession, ...wanted: readonly string[]): readonly string[] {
  return wanted.map((id) => session.get().index.byId.get(id) ?? "");
}

function selectedIds(session: EditorSession): string {
  const { selection, index } = session.get();
  return selection.map((key) => index.items.get(key)?.id).join(" ");
}

test("a step is added behind the selected one with an id of its own, and inside of one that holds steps", () => {
  const session = openText(yaml);
  session.select(keys(session, "a"));
  const behind = placeBehind(session);
  assert.ok(behind);
  addStep(session, behind, { setBody: { expression: { simple: { expression: "x" } } } });
  assert.equal(ids(session), "a setBody-1 b way c d e");
  assert.equal(selectedIds(session), "setBody-1");
  session.select(keys(session, "way"));
  const inside = placeInside(session);
  assert.ok(inside);
  addStep(session, inside, { valueMapping: { id: "countries" } });
  assert.match(session.get().text, /- valueMapping:\n +stepId: valueMapping-1\n +id: countries/);
  session.undo();
  session.undo();
  assert.equal(session.get().text, yaml);
});

test("several steps move together into a branch, in their order, and are taken back at once", () => {
  const session = openText(yaml);
  moveSteps(session, keys(session, "a", "e"), { stepsPath: [...list, 2, "choice", "when", 0, "steps"], index: 1 });
  assert.equal(ids(session), "b way c a e d");
  assert.equal(selectedIds(session), "a e");
  session.undo();
  assert.equal(session.get().text, yaml);
});

test("a step does not move into itself", () => {
  const session = openText(yaml);
  moveSteps(session, keys(session, "way"), { stepsPath: [...list, 2, "choice", "when", 0, "steps"], index: 0 });
  assert.equal(session.get().text, yaml);
});

test("up and down walk through a list, and out of a branch at its ends", () => {
  const session = openText(yaml);
  session.select(keys(session, "c"));
  moveSelected(session, 1);
  assert.equal(ids(session), "a b way d c e");
  moveSelected(session, 1);
  assert.equal(ids(session), "a b way d c e");
  assert.equal(keyOf(currentItem(session)?.itemPath ?? []), keyOf([...list, 3]));
  moveSelected(session, -1);
  moveSelected(session, -1);
  assert.equal(ids(session), "a c b way d e");
  assert.match(session.get().text, /id: b, message: b } # stays with b/);
});

test("what is deleted leaves the selection at what follows, or at what held it", () => {
  const session = openText(yaml);
  session.select(keys(session, "a", "b"));
  removeSelected(session);
  assert.equal(ids(session), "way c d e");
  assert.equal(selectedIds(session), "way");
  session.select(keys(session, "c", "d", "way"));
  removeSelected(session);
  assert.equal(ids(session), "e");
  removeSelected(session);
  assert.equal(currentItem(session)?.kind, "route");
  session.undo();
  session.undo();
  session.undo();
  assert.equal(session.get().text, yaml);
});

test("the trigger stays: the person reads what to do instead", () => {
  const session = openText(yaml);
  const refused: string[] = [];
  session.onRefused = (message) => refused.push(message);
  session.select(["0/route/from"]);
  removeSelected(session);
  assert.equal(session.get().text, yaml);
  assert.match(refused[0] ?? "", /change it in the form/);
});

test("steps are copied with their comments and pasted into another flow with free ids", () => {
  const session = openText(yaml);
  session.select(keys(session, "b", "way"));
  const text = copySelected(session) ?? "";
  assert.match(text, /^- log: \{ id: b, message: b \} # stays with b\n- choice:/);
  const other = openText(yaml);
  other.select(keys(other, "e"));
  pasteText(other, text);
  assert.equal(ids(other), "a b way c d e log-1 choice-1 log-2 log-3");
  assert.equal(selectedIds(other), "log-1 choice-1");
  duplicateSelected(other);
  assert.equal(allSteps(other.get().tree).length, 14);
  pasteText(other, "not: [steps");
  assert.equal(allSteps(other.get().tree).length, 14);
});

test("a pasted route becomes a route of the flow", () => {
  const session = openText(yaml);
  pasteText(session, "- route:\n    id: other\n    from:\n      uri: direct:other\n      steps: []\n");
  assert.deepEqual(
    session.get().tree.routes.map(({ id }) => id),
    ["orders", "other"],
  );
});

test("a branch is added and selected", () => {
  const session = openText(yaml);
  session.select(keys(session, "way"));
  const item = currentItem(session);
  assert.ok(item);
  addBranchTo(session, item, "otherwise");
  assert.equal(currentItem(session)?.name, "otherwise");
  assert.match(session.get().text, /otherwise:\n +steps: \[\]/);
});

test("whatever steps are moved wherever, none is lost and undo leads back", () => {
  fc.assert(
    fc.property(fc.subarray(["a", "b", "way", "c", "d", "e"]), fc.nat(5), fc.boolean(), (moved, index, inBranch) => {
      const session = openText(yaml);
      const stepsPath = inBranch ? [...list, 2, "choice", "when", 0, "steps"] : list;
      moveSteps(session, keys(session, ...moved), { stepsPath, index });
      assert.equal(ids(session).split(" ").sort().join(" "), "a b c d e way");
      session.undo();
      assert.equal(session.get().text, yaml);
    }),
    { numRuns: 100 },
  );
});
