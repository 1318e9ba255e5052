/** What the runtime's check has found, each with its place. */
import { words } from "../words.ts";
import type { FlowProblem } from "./check.ts";
import "./deploy.css";

interface ProblemListProps {
  readonly problems: readonly FlowProblem[];
  /** Absent: places are texts only. */
  readonly onShow?: ((problem: FlowProblem) => void) | undefined;
}

/** More nobody reads at once; the editor marks them all. */
const most = 20;

export function ProblemList({ problems, onShow }: ProblemListProps) {
  return (
    <ul className="problem-list">
      {problems.slice(0, most).map((problem) => {
        const { line, column, message, stepId } = problem;
        const at = words.deploy.at(line, stepId);
        return (
          <li key={`${line}:${column}:${message}`}>
            {at !== "" &&
              (onShow === undefined ? (
                <b>{at}</b>
              ) : (
                <button type="button" className="link" onClick={() => onShow(problem)}>
                  {at}
                </button>
              ))}
            {at !== "" && ": "}
            {message}
          </li>
        );
      })}
      {problems.length > most && <li>{words.flows.importFoundMore(problems.length - most)}</li>}
    </ul>
  );
}
