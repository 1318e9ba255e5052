/** A list of steps one below the other, with the branches of each. */
import { memo } from "react";
import type { Branch, Path, StepNode } from "../../model/index.ts";
import { words } from "../../words.ts";
import { addBranchTo, branchKinds } from "../actions/edit-steps.ts";
import { keyOf } from "../session/items.ts";
import { titleOf } from "../titles.ts";
import { useCanvas } from "./context.ts";
import { textOfStep } from "./describe.ts";
import { Gap } from "./gap.tsx";
import { LinkChip } from "./link-chip.tsx";
import { NodeCard } from "./node-card.tsx";

interface StepsProps {
  readonly steps: readonly StepNode[];
  readonly stepsPath: Path;
}

export const Steps = memo(function Steps({ steps, stepsPath }: StepsProps) {
  return (
    <ol className="steps">
      {steps.map((step, index) => (
        <li key={keyOf(step.itemPath)}>
          <Gap stepsPath={stepsPath} index={index} />
          <Step step={step} />
        </li>
      ))}
      <li className="steps-end">
        <Gap stepsPath={stepsPath} index={steps.length} isLast />
      </li>
    </ol>
  );
});

const Step = memo(function Step({ step }: { readonly step: StepNode }) {
  const key = keyOf(step.itemPath);
  return (
    <>
      <NodeCard
        itemKey={key}
        {...textOfStep(step)}
        id={step.id}
        isDisabled={step.disabled}
        isShared={step.shared}
        isDraggable
      />
      <LinkChip path={step.path} />
      {step.branches.length > 0 && <Branches branches={step.branches} itemKey={key} name={step.name} />}
    </>
  );
});

interface BranchesProps {
  readonly branches: readonly Branch[];
  readonly itemKey: string;
  readonly name: string;
}

/** Branches stand side by side; the only steps of a step stand in a frame below it. */
export const Branches = memo(function Branches({ branches, itemKey, name }: BranchesProps) {
  const { session, isEditable } = useCanvas();
  const kinds = branchKinds[name] ?? [];
  const missing = kinds.filter((kind) => /^(when|doCatch)$/.test(kind) || branches.every((one) => one.kind !== kind));
  return (
    <div className="branches">
      <div className="branch-row">
        {branches.map((branch) => (
          <section key={keyOf(branch.stepsPath)} className="branch" aria-label={branch.label || titleOf(name)}>
            {branch.kind === "steps" ? (
              branch.label !== "" && <span className="branch-name">{titleOf(branch.label)}</span>
            ) : (
              <BranchLabel branch={branch} />
            )}
            <Steps steps={branch.steps} stepsPath={branch.stepsPath} />
          </section>
        ))}
      </div>
      {isEditable && missing.length > 0 && (
        <div className="branch-adds">
          {missing.map((kind) => (
            <button
              key={kind}
              type="button"
              className="branch-add"
              tabIndex={-1}
              onClick={() => {
                const step = session.get().index.items.get(itemKey);
                if (step !== undefined) addBranchTo(session, step, kind);
              }}
            >
              {words.canvas.addBranch(titleOf(kind))}
            </button>
          ))}
        </div>
      )}
    </div>
  );
});

function BranchLabel({ branch }: { readonly branch: Branch }) {
  const { kind, label, path, id } = branch;
  const brief = label.startsWith(kind) ? label.slice(kind.length).trim() : "";
  return <NodeCard itemKey={keyOf(path)} icon={kind} title={titleOf(kind)} brief={brief} id={id} />;
}
