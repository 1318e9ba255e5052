/**
 * The frames between control and a flow's thread are described once, in frames-to-thread.ts and frames-to-control.ts; the rest follows from that. A message on
 * the port is one flat array of frames, `[number, field, field, ..., number, field, ...]`, posted at the end of a turn of the event loop, or as soon as
 * they are many (outbox.ts), on both sides: structured clone is quick with flat arrays of strings and numbers, and slow with objects.
 */
import type { FieldTypeName } from "./frame-field-types.ts";

export interface FrameShape {
  /** What its frames begin with; no two of one direction have the same. */
  readonly number: number;
  readonly docs: string;
  /** In the order in which they follow the number. */
  readonly fields: readonly FieldShape[];
}

type FieldShape = readonly [name: string, type: FieldTypeName, docs?: string];

/** The frames of one direction, by name. */
type FrameShapes = Readonly<Record<string, FrameShape>>;

export type FrameNumbers<Shapes extends FrameShapes> = { readonly [Name in keyof Shapes]: Shapes[Name]["number"] };

/** A frame that the protocol does not have: what is behind it cannot be read either. */
export class UnknownFrame extends Error {
  constructor(kind: unknown) {
    super(`the protocol has no frame ${typeof kind === "number" ? kind : `that is named by a ${typeof kind}`}`);
    this.name = "UnknownFrame";
  }
}

export function numbersOf<Shapes extends FrameShapes>(shapes: Shapes): FrameNumbers<Shapes> {
  const numbers = Object.entries(shapes).map(([name, { number }]) => [name, number]);
  return Object.fromEntries(numbers) as FrameNumbers<Shapes>;
}

/** Finds the shape of a frame by what the frame begins with; the function throws UnknownFrame when there is none. */
export function shapeFinder<Shape extends FrameShape>(
  shapes: Readonly<Record<string, Shape>>,
): (kind: unknown) => Shape {
  const byNumber: (Shape | undefined)[] = [];
  for (const shape of Object.values(shapes)) {
    if (byNumber[shape.number] !== undefined) throw new Error(`two frames have the number ${shape.number}`);
    byNumber[shape.number] = shape;
  }
  return (kind) => {
    const shape = typeof kind === "number" ? byNumber[kind] : undefined;
    if (shape === undefined) throw new UnknownFrame(kind);
    return shape;
  };
}

/** Members of the list that a frame of this shape takes. */
export function widthOf({ fields }: FrameShape): number {
  return 1 + fields.length;
}
