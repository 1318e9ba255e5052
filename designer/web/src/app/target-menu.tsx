/** The runtime that the page looks at; with several of them, the choice. */
import type { Target } from "../../../shared/wire.ts";
import { runtimeHealth } from "../api/cache.ts";
import { isRefusal } from "../api/runtime.ts";
import { chooseTarget, target } from "../api/target.ts";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";

export function TargetMenu({ targets }: { readonly targets: readonly Target[] }) {
  const chosen = useStore(target);
  if (chosen === undefined) return <span className="target">{words.app.noTarget}</span>;
  if (targets.length < 2) {
    return (
      <span className="target" title={chosen.url}>
        <TargetState name={chosen.name} />
        {chosen.label}
      </span>
    );
  }
  return (
    <Menu
      label={words.app.target(chosen.label)}
      items={targets.map(({ name, label }) => ({
        label,
        checked: name === chosen.name,
        run: () => chooseTarget(name),
      }))}
    >
      <TargetState name={chosen.name} />
      {chosen.label}
      <Icon name="down" />
    </Menu>
  );
}

/** Whether the runtime answers, as a dot with a name. */
function TargetState({ name }: { readonly name: string }) {
  const { value, error } = useStore(runtimeHealth(name));
  const [kind, label] =
    error !== undefined
      ? isRefusal(error)
        ? (["refused", words.app.targetRefused] as const)
        : (["down", words.app.targetDown] as const)
      : value === undefined
        ? (["asked", words.app.targetAsked] as const)
        : value.status === "UP"
          ? (["up", words.app.targetUp] as const)
          : (["degraded", words.app.targetDegraded] as const);
  return <span className={`target-state ${kind}`} role="img" aria-label={label} title={label} />;
}
