/** What a deployment would change, and what speaks against it. */
import type { Target } from "../../../shared/wire.ts";
import { DiffView } from "../ui/diff-view.tsx";
import { Note } from "../ui/note.tsx";
import { words } from "../words.ts";
import type { FlowProblem } from "./check.ts";
import { needsOperator } from "./deploy.ts";
import { optionsText } from "./options.ts";
import { ProblemList } from "./problem-list.tsx";
import type { RuntimeFlow } from "./runtime-flow.ts";
import type { DeploySource } from "./source.ts";
import { TravellingList } from "./travelling-list.tsx";
import type { Compared, Stage } from "./use-deployment.ts";

interface ComparisonProps {
  readonly source: DeploySource;
  readonly target: Target;
  readonly stage: Extract<Stage, { kind: "compared" }>;
  readonly onShow: ((problem: FlowProblem) => void) | undefined;
}

/** Whether the runtime would take it, as far as is known. */
export function isDeployable(source: DeploySource, { before, check }: Compared): boolean {
  return check.isValid && !needsOperator(source.content(), before);
}

export function Comparison({ source, target: { name, label }, stage, onShow }: ComparisonProps) {
  const { before, check, isStale, refused, mappings } = stage;
  const content = source.content();
  return (
    <>
      {refused !== undefined && (
        <Note kind="error" title={words.deploy.refused}>
          <p>{refused}</p>
          <p>{words.deploy.refusedText}</p>
          {mappings.length > 0 && <p>{words.deploy.refusedAll}</p>}
        </Note>
      )}
      {isStale && (
        <Note kind="warn" title={words.deploy.stale}>
          <p>{words.deploy.staleText}</p>
        </Note>
      )}
      {check.problems.length > 0 && (
        <Note
          kind={check.isValid ? "warn" : "error"}
          title={check.isValid ? words.deploy.warnings : words.deploy.invalid}
        >
          <ProblemList problems={check.problems} onShow={onShow} />
          {!check.isValid && <p>{words.deploy.invalidText}</p>}
        </Note>
      )}
      {needsOperator(content, before) && (
        <Note kind="error">
          <p>{words.deploy.policy}</p>
        </Note>
      )}
      {!isStale && before !== undefined && <ForeignNote source={source} target={name} before={before} />}
      {before === undefined ? (
        <p>{words.deploy.fresh(label)}</p>
      ) : (
        <Difference label={label} before={before} yaml={content.yaml} options={content.options} />
      )}
      <TravellingList label={label} mappings={mappings} />
      {check.isValid && <Plan plan={check.plan} />}
      {(source.isUnsaved() || mappings.some(({ session }) => session !== undefined)) && (
        <p className="faint">{words.deploy.unsaved}</p>
      )}
    </>
  );
}

interface DifferenceProps extends ReturnType<DeploySource["content"]> {
  readonly label: string;
  readonly before: RuntimeFlow;
}

function Difference({ label, before, yaml, options }: DifferenceProps) {
  // A policy that the companion does not have stays as the runtime has it.
  const [then, now] = [optionsText(before.options), optionsText(options)];
  if (before.yaml === yaml && then === now) return <p>{words.deploy.same(label)}</p>;
  return (
    <>
      {before.yaml !== yaml && <DiffView label={words.deploy.yamlDiff(label)} before={before.yaml} after={yaml} />}
      {then !== now && <DiffView label={words.deploy.optionsDiff(label)} before={then} after={now} />}
    </>
  );
}

/** Says so when what would be replaced was not deployed from here. */
function ForeignNote({
  source,
  target,
  before,
}: Pick<ComparisonProps, "source"> & { target: string; before: RuntimeFlow }) {
  const { detail } = before;
  if (detail.state === "Changed") {
    return (
      <Note kind="warn">
        <p>{words.deploy.changedOnDisk}</p>
      </Note>
    );
  }
  const deployed = source.deployed(target);
  const isKnown =
    deployed !== undefined && deployed.revision === detail.revision && deployed.hash === detail.deployedHash;
  if (isKnown || detail.yaml === source.content().yaml) return null;
  return (
    <Note kind="warn">
      <p>{words.deploy.drifted(detail.revision)}</p>
    </Note>
  );
}

function Plan({ plan }: { readonly plan: Compared["check"]["plan"] }) {
  const lines = (["start", "stop", "unchanged"] as const).flatMap((what) =>
    plan[what].map((route) => ({ route, what: words.deploy.plan[what] })),
  );
  return (
    <ul className="deploy-plan">
      {lines.map(({ route, what }) => (
        <li key={route}>
          <code>{route}</code> <span className="faint">{what}</span>
        </li>
      ))}
    </ul>
  );
}
