/** Routes, and what stands beside them: each a column of its own. */
import { memo } from "react";
import type { OtherNode, RestOperation, RouteNode } from "../../model/index.ts";
import { words } from "../../words.ts";
import { keyOf } from "../session/items.ts";
import { ConsumerChip } from "./consumer-chip.tsx";
import { textOfOther, textOfTrigger } from "./describe.ts";
import { CallersChip, LinkChip } from "./link-chip.tsx";
import { NodeCard } from "./node-card.tsx";
import { Branches, Steps } from "./steps.tsx";

interface RouteProps {
  readonly route: RouteNode;
  /** Another node stands for the route already. */
  readonly isHeadless?: boolean;
}

export const Route = memo(function Route({ route, isHeadless = false }: RouteProps) {
  const { id, description, path, trigger, steps, stepsPath } = route;
  const name = description ?? id ?? words.canvas.unnamedRoute;
  return (
    <section className="route" aria-label={words.canvas.route(name)}>
      {!isHeadless && (
        <div className="route-head">
          <NodeCard
            itemKey={keyOf(path)}
            icon="route"
            title={name}
            brief={description === undefined ? "" : (id ?? "")}
          />
          <CallersChip path={path} />
        </div>
      )}
      {trigger !== undefined && <NodeCard itemKey={keyOf(trigger.path)} {...textOfTrigger(trigger)} id={trigger.id} />}
      <ConsumerChip routeId={id} />
      <Steps steps={steps} stepsPath={stepsPath} />
      <p className="route-end">{words.canvas.routeEnd}</p>
    </section>
  );
});

/** onException, rest, beans and the rest: a card, with the steps, operations or routes that it holds. */
export const Other = memo(function Other({ other }: { readonly other: OtherNode }) {
  const { name, id, uri, path, branches, route, operations = [], children = [] } = other;
  const text = textOfOther(other);
  const isFlat = branches.length === 0 && route === undefined && operations.length + children.length === 0;
  return (
    <section className={isFlat ? "other flat" : "other"} aria-label={`${text.title} ${text.brief}`.trim()}>
      <NodeCard itemKey={keyOf(path)} {...text} id={id} />
      {uri !== undefined && <LinkChip path={path} />}
      {operations.map((operation) => (
        <Operation key={keyOf(operation.path)} operation={operation} />
      ))}
      {branches.length === 1 && branches[0]?.kind === "steps" ? (
        <Steps steps={branches[0].steps} stepsPath={branches[0].stepsPath} />
      ) : (
        branches.length > 0 && <Branches branches={branches} itemKey={keyOf(path)} name={name} />
      )}
      {route !== undefined && <Route route={route} isHeadless={keyOf(route.path) === keyOf(path)} />}
      {children.map((child) => (
        <Other key={keyOf(child.path)} other={child} />
      ))}
    </section>
  );
});

const Operation = memo(function Operation({ operation }: { readonly operation: RestOperation }) {
  const { verb, address, to = "", path, id } = operation;
  return (
    <div className="operation">
      <NodeCard itemKey={keyOf(path)} icon="rest" title={`${verb.toUpperCase()} ${address}`} brief={to} id={id} />
      <LinkChip path={path} />
    </div>
  );
});
