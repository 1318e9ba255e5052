/** The difference of two texts, line by line. */
import { useMemo } from "react";
import { words } from "../words.ts";
import { countsOf, diffLines, shortened } from "./diff-lines.ts";
import "./diff-view.css";

interface DiffViewProps {
  /** What is compared, for screen readers: "flow.yaml, on the runtime and in the editor". */
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

const signs = { same: " ", added: "+", removed: "−" } as const;

export function DiffView({ label, before, after }: DiffViewProps) {
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  const shown = useMemo(() => shortened(lines), [lines]);
  const { added, removed } = countsOf(lines);
  if (shown.length === 0) return <p className="diff-none">{words.ui.noDifference}</p>;
  return (
    <figure className="diff">
      <figcaption>
        {label} <span className="diff-added">+{added}</span> <span className="diff-removed">−{removed}</span>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section className="diff-scroll" tabIndex={0} aria-label={label}>
        <table className="diff-table">
          <thead className="hidden">
            <tr>
              <th>{words.ui.lineBefore}</th>
              <th>{words.ui.lineAfter}</th>
              <th>{words.ui.change}</th>
              <th>{words.ui.text}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((line, index) =>
              line.kind === "gap" ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no other name, and are drawn as a whole
                <tr key={index} className="diff-gap">
                  <td colSpan={4}>{words.ui.sameLines(line.count)}</td>
                </tr>
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <tr key={index} className={`diff-line ${line.kind}`}>
                  <td className="diff-number">{line.before}</td>
                  <td className="diff-number">{line.after}</td>
                  <td className="diff-sign">{signs[line.kind]}</td>
                  <td className="diff-text">{line.text}</td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      </section>
    </figure>
  );
}
