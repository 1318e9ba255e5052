/** An open flow: one text, one history, a selection that stays where it is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ChangeSet } from "@codemirror/state";
import fc from "fast-check";
import { allSteps, insertStep, moveStep, removeStep, setOption, tree } from "../../../designer/web/src/model/index.ts";
import { openText } from "./support/open-text.ts";

const yaml = `# orders
- route:
    id: orders
    from:
      uri: webhook
      steps:
        - log: { id: first, message: in }
        - choice:
            id: way
            when:
              - simple: "\${body} > 5"
                steps:
                  - log: big # keep
        - stop
`;
const list = [0, "route", "from", "steps"];

test("undo and redo go over edits of the canvas and typing in the text", () => {
  const session = openText(yaml);
  session.edit((flow) => insertStep(flow, list, 1, { delay: { id: "wait" } }), { label: "Add" });
  const added = session.get().text;
  const length = session.document().length;
  session.typed(ChangeSet.of({ from: 0, to: 0, insert: "# a\n" }, length, "\n"), "Typing", "type");
  session.typed(ChangeSet.of({ from: 3, to: 3, insert: "b" }, length + 4, "\n"), "Typing", "type");
  assert.ok(session.get().text.startsWith("# ab\n# orders"));
  assert.equal(session.get().undoLabel, "Typing");
  session.undo();
  assert.equal(session.get().text, added);
  session.undo();
  assert.equal(session.get().text, yaml);
  assert.equal(session.get().dirty, false);
  session.undo();
  session.redo();
  session.redo();
  assert.ok(session.get().text.startsWith("# ab\n# orders"));
  assert.equal(session.get().redoLabel, undefined);
});

test("what is selected stays selected when steps move around it, and comes back with undo", () => {
  const session = openText(yaml);
  session.select(["0/route/from/steps/1"]);
  session.edit((flow) => insertStep(flow, list, 0, { stop: {} }), { label: "Add" });
  assert.deepEqual(session.get().selection, ["0/route/from/steps/2"]);
  session.edit((flow) => removeStep(flow, [...list, 2]), { label: "Remove", select: () => ["0/route/from/steps/1"] });
  session.undo();
  assert.deepEqual(session.get().selection, ["0/route/from/steps/2"]);
  assert.equal(session.get().index.items.get("0/route/from/steps/2")?.id, "way");
});

test("an edit leaves the objects of all other nodes as they are", () => {
  const session = openText(yaml);
  const before = session.get().view.routes[0];
  session.edit((flow) => setOption(flow, [...list, 0, "log", "message"], "a longer text\nof lines"), { label: "Edit" });
  const after = session.get().view.routes[0];
  assert.notEqual(after?.steps[0], before?.steps[0]);
  assert.equal(after?.steps[1], before?.steps[1]);
  assert.equal(after?.steps[2], before?.steps[2]);
  assert.equal(after?.trigger, before?.trigger);
});

test("a text that is not YAML keeps the last tree, refuses edits with a sentence, and can be undone", () => {
  const session = openText(yaml);
  const refused: string[] = [];
  session.onRefused = (message) => refused.push(message);
  session.typed(
    ChangeSet.of({ from: 0, to: 0, insert: "a: [\n" }, session.document().length, "\n"),
    "Typing",
    undefined,
  );
  session.settle();
  assert.equal(session.get().broken, true);
  assert.equal(allSteps(session.get().tree).length, 4);
  assert.equal(
    session.edit((flow) => removeStep(flow, [...list, 0]), { label: "Remove" }),
    false,
  );
  assert.match(refused[0] ?? "", /syntax error/);
  session.undo();
  assert.equal(session.get().broken, false);
});

test("any edits are undone and redone to the same texts, whatever ends a line", () => {
  const edits = fc.array(fc.tuple(fc.constantFrom("insert", "remove", "move", "set"), fc.nat(20), fc.nat(20)), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(edits, fc.boolean(), (all, crlf) => {
      const session = openText(crlf ? yaml.replaceAll("\n", "\r\n") : yaml);
      const texts = [session.get().text];
      for (const [kind, at, to] of all) {
        const steps = allSteps(session.get().tree);
        const step = steps[at % Math.max(1, steps.length)];
        const done = session.edit(
          (flow) => {
            if (kind === "insert" || step === undefined) return insertStep(flow, list, 0, { log: { message: "new" } });
            if (kind === "remove") return removeStep(flow, step.itemPath);
            if (kind === "set") return setOption(flow, [...step.itemPath, step.name, "description"], `d${to}`);
            return moveStep(flow, step.itemPath, list, to % 4);
          },
          { label: kind },
        );
        if (done) texts.push(session.get().text);
        assert.deepEqual(session.get().tree, tree(session.flow()));
      }
      for (const text of texts.toReversed().slice(1)) {
        session.undo();
        assert.equal(session.get().text, text);
      }
      for (const text of texts.slice(1)) {
        session.redo();
        assert.equal(session.get().text, text);
      }
    }),
    { numRuns: 60 },
  );
});

test("each step is one part of the flow, also in a template", () => {
  const session = openText(
    "- routeTemplate:\n    id: t\n    from:\n      uri: direct:t\n      steps:\n        - log: { id: a, message: a }\n",
  );
  assert.deepEqual(
    allSteps(session.get().tree).map(({ id }) => id),
    ["a"],
  );
  assert.deepEqual(
    [...session.get().index.items.values()].map(({ kind }) => kind),
    ["other", "trigger", "step"],
  );
});
