/** The difference between two versions of a flow. */
import { DiffView } from "../../ui/diff-view.tsx";
import { words } from "../../words.ts";

export interface Version {
  readonly yaml: string;
  /** As optionsText writes them. */
  readonly options: string;
}

interface RevisionDiffProps {
  readonly before: Version;
  readonly after: Version;
  readonly yamlLabel: string;
  readonly optionsLabel: string;
}

export function RevisionDiff({ before, after, yamlLabel, optionsLabel }: RevisionDiffProps) {
  if (before.yaml === after.yaml && before.options === after.options) return <p>{words.revisions.same}</p>;
  return (
    <>
      {before.yaml !== after.yaml && <DiffView label={yamlLabel} before={before.yaml} after={after.yaml} />}
      {before.options !== after.options && (
        <DiffView label={optionsLabel} before={before.options} after={after.options} />
      )}
    </>
  );
}
