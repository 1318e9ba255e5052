/** Deploys the open flow to the chosen runtime. */
import { mayDo } from "../../api/session.ts";
import { target } from "../../api/target.ts";
import { Button } from "../../ui/button.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { useSession } from "../canvas/context.ts";
import type { PanelProps } from "../panels.ts";
import { deploySession } from "./deploy-session.ts";

export function DeployButton({ session }: PanelProps) {
  const on = useStore(target);
  const isBroken = useSession(session, ({ broken }) => broken);
  if (!mayDo("editor")) return null;
  const off = on === undefined ? words.deploy.noTarget : isBroken ? words.deploy.broken : undefined;
  return (
    <Button
      kind="primary"
      icon="deploy"
      aria-keyshortcuts="Control+Shift+Enter"
      title={off}
      disabled={off !== undefined}
      onClick={() => void deploySession(session)}
    >
      {words.deploy.action}
    </Button>
  );
}
