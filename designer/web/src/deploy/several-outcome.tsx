/** What is known of one of several flows that are deployed together: its difference, or what came of it. */
import { Chip } from "../ui/chip.tsx";
import { countsOf, diffLines } from "../ui/diff-lines.ts";
import { words } from "../words.ts";
import { needsOperator } from "./deploy.ts";
import { optionsText } from "./options.ts";
import { ProblemList } from "./problem-list.tsx";
import type { Compared, Progress } from "./several.ts";

const { deploy: texts } = words;

export function SeveralOutcome({ one }: { readonly one: Progress | undefined }) {
  if (one === undefined) return <span className="faint">{words.ui.loading}</span>;
  if (one.kind === "waiting") return <span className="faint">{texts.severalWaiting}</span>;
  if (one.kind === "deployed")
    return (
      <>
        <Chip tone="good">{texts.severalDone(one.revision)}</Chip>
        {one.mappings.map(({ kind, id, revision }) => (
          <Chip key={`${kind} ${id}`} tone="good">
            {texts.doneMapping(words.mappings.kinds[kind], id, revision)}
          </Chip>
        ))}
      </>
    );
  if (one.kind === "stale") return <span className="several-problem">{texts.severalStale}</span>;
  if (one.kind === "refused") return <span className="several-problem">{one.reason}</span>;
  const problems = one.check.problems.filter(({ severity }) => one.check.isValid || severity === "error");
  return (
    <>
      <span className="faint">{differenceOf(one)}</span>
      {one.mappings
        .filter(({ others }) => others.length > 0)
        .map(({ kind, id, others }) => (
          <span key={`${kind} ${id}`} className="several-note">
            {texts.severalUsers(id, others.join(", "))}
          </span>
        ))}
      {one.isUnsaved && <span className="several-note">{texts.severalUnsaved}</span>}
      {needsOperator(one.file, one.before) && <span className="several-problem">{texts.policy}</span>}
      {problems.length > 0 && (
        <div className={one.check.isValid ? "several-note" : "several-problem"}>
          <ProblemList problems={problems} />
        </div>
      )}
    </>
  );
}

function differenceOf({ file, before, mappings }: Compared): string {
  const along = mappings.map(({ kind, id }) => texts.severalMapping(words.mappings.kinds[kind], id));
  if (before === undefined) return [texts.severalFresh, ...along].join(", ");
  const { added, removed } = countsOf(diffLines(before.yaml, file.yaml));
  const hasOptions = optionsText(before.options) !== optionsText(file.options);
  const parts = [
    ...(added + removed > 0 ? [texts.severalLines(added, removed)] : []),
    ...(hasOptions ? [texts.severalOptions] : []),
    ...along,
  ];
  return parts.length === 0 ? texts.severalSame : parts.join(", ");
}
