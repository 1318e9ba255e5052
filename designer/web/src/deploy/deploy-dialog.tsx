/** Deploys a flow: shows what would change and what speaks against it, and then what came of it. */
import { useEffect, useMemo } from "react";
import type { Target } from "../../../shared/wire.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { openDialog } from "../ui/dialogs.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { Loading } from "../ui/loading.tsx";
import { Note } from "../ui/note.tsx";
import { notify } from "../ui/toast.tsx";
import { words } from "../words.ts";
import type { FlowProblem } from "./check.ts";
import { Comparison, isDeployable } from "./comparison.tsx";
import type { RuntimeFlow } from "./runtime-flow.ts";
import type { DeploySource } from "./source.ts";
import { type Stage, useDeployment } from "./use-deployment.ts";

/** Resolves when the dialog is closed, whatever came of it. */
export async function openDeployment(source: DeploySource, target: Target): Promise<void> {
  await openDialog<void>((close) => <DeployDialog source={source} target={target} close={close} />);
}

interface DeployDialogProps {
  readonly source: DeploySource;
  readonly target: Target;
  readonly close: () => void;
}

function DeployDialog({ source, target, close }: DeployDialogProps) {
  const { stage, compare, go } = useDeployment(source, target);
  const isOver = stage.kind === "deployed";
  const news = useMemo(() => (stage.kind === "deployed" ? newsOf(stage) : []), [stage]);
  useEffect(() => {
    if (stage.kind !== "deployed") return;
    const { changed, restarted = false, revision, mappings } = stage.answer;
    const { done, doneWith, doneMapping, unchanged } = words.deploy;
    const along = mappings.map((one) => doneMapping(words.mappings.kinds[one.kind], one.id, one.revision)).join(", ");
    const text =
      along !== ""
        ? doneWith(source.name, target.label, revision, along)
        : changed || restarted
          ? done(source.name, target.label, revision)
          : unchanged(source.name, target.label);
    notify({ kind: "done", text });
    if (news.length === 0) close();
  }, [stage, news, source, target, close]);
  // What is under way is waited for: nobody would learn what came of it.
  const leave = (): void => {
    if (stage.kind !== "working") close();
  };
  const take = (before: RuntimeFlow): void => {
    source.take?.({ yaml: before.yaml, options: before.options });
    close();
  };
  const onShow =
    source.show &&
    ((problem: FlowProblem) => {
      close();
      source.show?.(problem);
    });
  const canGo = stage.kind === "compared" && isDeployable(source, stage);
  const submit = (): void => {
    if (isOver) close();
    else if (canGo && !stage.isStale) void go(stage);
  };
  return (
    <Dialog
      wide
      busy={stage.kind === "working"}
      title={isOver ? words.deploy.doneTitle : words.deploy.title(source.name, target.label)}
      onClose={leave}
      onSubmit={submit}
      actions={
        isOver ? (
          <Button type="submit">{words.ui.close}</Button>
        ) : (
          <>
            <Button disabled={stage.kind === "working"} onClick={leave}>
              {words.ui.cancel}
            </Button>
            {stage.kind === "compared" && stage.isStale && stage.before !== undefined && source.take !== undefined && (
              <Button onClick={() => stage.before !== undefined && take(stage.before)}>{words.deploy.take}</Button>
            )}
            {stage.kind === "compared" && stage.isStale ? (
              <DeployOverButton isReady={canGo} onClick={() => void go(stage)} />
            ) : (
              <DeployButton isReady={canGo} />
            )}
          </>
        )
      }
    >
      {stage.kind === "comparing" && <Loading />}
      {stage.kind === "unread" && (
        <ErrorNote title={words.deploy.notCompared(target.label)} error={stage.error} onRetry={compare} />
      )}
      {stage.kind === "compared" && <Comparison {...{ source, target, stage, onShow }} />}
      {stage.kind === "working" && <p role="status">{words.deploy.working[stage.doing]}</p>}
      {news.length > 0 && (
        <Note kind="warn" title={words.deploy.doneWarnings}>
          {news.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </Note>
      )}
    </Dialog>
  );
}

/** It gets the focus as soon as it can be pressed, so that Enter goes on. */
function DeployButton({ isReady }: { readonly isReady: boolean }) {
  return (
    <Button
      key={String(isReady)}
      ref={isReady ? focusNow : undefined}
      kind="primary"
      icon="deploy"
      type="submit"
      disabled={!isReady}
    >
      {words.deploy.action}
    </Button>
  );
}

interface DeployOverButtonProps {
  readonly isReady: boolean;
  readonly onClick: () => void;
}

/** Replaces what somebody else has deployed: Enter, which has brought the dialog here, does not press it. */
function DeployOverButton({ isReady, onClick }: DeployOverButtonProps) {
  return (
    <Button ref={focusDialog} kind="danger" icon="deploy" disabled={!isReady} onClick={onClick}>
      {words.deploy.over}
    </Button>
  );
}

function focusNow(button: HTMLElement | null): void {
  button?.focus();
}

function focusDialog(button: HTMLElement | null): void {
  button?.closest("dialog")?.focus();
}

/** What the answer says that was not shown before. */
function newsOf({ answer, check }: Extract<Stage, { kind: "deployed" }>): readonly string[] {
  const shown = new Set(check.problems.map(({ message }) => message));
  const warnings = answer.warnings.map(({ message }) => message).filter((message) => !shown.has(message));
  const silent = answer.routes
    .filter(({ status }) => status !== "Started")
    .map(({ id, status }) => `${id} (${status})`);
  return silent.length === 0 ? warnings : [...warnings, words.deploy.notServing(silent.join(", "))];
}
