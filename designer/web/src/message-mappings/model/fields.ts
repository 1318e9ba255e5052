/** The fields of a message as a tree to draw and to map. */
import { pointerOf } from "./names.ts";
import { type Shape, shapeOfSample } from "./shape.ts";

export interface FieldNode {
  /** A JSON pointer of its names; "" is the message itself. Items of lists are no step of it. */
  readonly key: string;
  readonly name: string;
  /** Names from the message on. */
  readonly path: readonly string[];
  readonly kind: "object" | "list" | "value";
  /** What a value, or an item of a list of values, is: `string`; "" when it is not known. */
  readonly type: string;
  readonly sample: string | undefined;
  readonly isRequired: boolean;
  /** Of the lists that it is in: how many names their paths have, the outermost first. */
  readonly lists: readonly number[];
  readonly children: readonly FieldNode[];
}

/** `name`: what the message itself is called. */
export function fieldsOf(shape: Shape, name: string): FieldNode {
  return node(shape, { name, path: [], isRequired: false, lists: [] });
}

export function fieldsOfSample(value: unknown, name: string): FieldNode {
  return fieldsOf(shapeOfSample(value), name);
}

type Around = Pick<FieldNode, "name" | "path" | "isRequired" | "lists">;

function node(shape: Shape, around: Around): FieldNode {
  const { path, lists } = around;
  const common = { ...around, key: pointerOf(path), kind: shape.kind, type: "", sample: undefined };
  if (shape.kind === "value") return { ...common, type: shape.type, sample: shape.sample, children: [] };
  if (shape.kind === "object") return { ...common, children: members(shape, path, lists) };
  const { item } = shape;
  const inner = [...lists, path.length];
  if (item?.kind === "object") return { ...common, children: members(item, path, inner) };
  return { ...common, type: item?.kind === "value" ? item.type : "", children: [] };
}

function members(
  { members: all }: Extract<Shape, { readonly kind: "object" }>,
  path: readonly string[],
  lists: readonly number[],
): readonly FieldNode[] {
  return [...all].map(([name, { shape, isRequired }]) =>
    node(shape, { name, path: [...path, name], isRequired, lists }),
  );
}

/** Each node once, an outer one before those inside of it. */
export function allFields(root: FieldNode): readonly FieldNode[] {
  return [root, ...root.children.flatMap(allFields)];
}

export function fieldAt(root: FieldNode, path: readonly string[]): FieldNode | undefined {
  return path.reduce<FieldNode | undefined>((at, name) => at?.children.find((one) => one.name === name), root);
}

export function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.length <= path.length && start.every((name, at) => path[at] === name);
}
