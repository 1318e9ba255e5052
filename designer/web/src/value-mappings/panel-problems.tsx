/** What the runtime finds in the draft; a press leads to the cell. */
import { Icon } from "../ui/icon.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import type { PanelProps } from "./panels.ts";
import type { Problem } from "./places.ts";
import { at } from "./ranges.ts";
import { titleOf } from "./sheet.ts";

export function ProblemsPanel({ session }: PanelProps) {
  const { problems, checked, draft } = useStore(session);
  const { problemCount = 0, tests } = checked ?? {};
  const unlisted = problemCount - problems.filter(({ severity }) => severity === "error").length;
  const placeOf = ({ row, column, pointer }: Problem): string => {
    if (row === undefined || draft.kind === "text") return pointer;
    const title = column === undefined ? undefined : draft.document.sheet.columns[column];
    return words.valueMappings.place(row + 1, title === undefined ? undefined : titleOf(title));
  };
  return (
    <div className="mapping-panel">
      {checked !== undefined && problems.length === 0 && <p className="faint">{words.valueMappings.noProblem}</p>}
      <ul className="mapping-problems">
        {problems.map((problem, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is drawn as a whole
          <li key={index} className={problem.severity}>
            <Icon name={problem.severity === "error" ? "error" : "warn"} />
            <span>
              {problem.row === undefined ? (
                problem.pointer !== "" && <code>{problem.pointer}</code>
              ) : (
                <button
                  type="button"
                  className="link"
                  onClick={() => session.select(at(problem.row ?? 0, problem.column ?? 0))}
                >
                  {placeOf(problem)}
                </button>
              )}{" "}
              {problem.message}
            </span>
          </li>
        ))}
      </ul>
      {unlisted > 0 && <p className="faint">{words.valueMappings.unlisted(unlisted)}</p>}
      {tests !== undefined && tests.passed + tests.failed > 0 && (
        <p className="faint">{words.tests.passed(tests.passed, tests.passed + tests.failed)}</p>
      )}
    </div>
  );
}
