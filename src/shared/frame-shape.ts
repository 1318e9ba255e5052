/**
 * The frames between control and a flow's thread are described once, in frames-to-thread.ts and frames-to-control.ts;
 * the rest follows from that. A message on the port is one flat array of frames, `[number, field, field, ..., number,
 * field, ...]`, posted at the end of a turn of the event loop, or as soon as they are many (outbox.ts), on both sides:
 * structured clone is quick with flat arrays of strings and numbers, and slow with objects. So nothing is made for a
 * single frame: writers push its members, and a reader gets the list and the place where the frame begins.
 */
import { type FieldTypeName, fieldTypes, type Read, type Written } from "./frame-values.ts";

/** Frames, one behind the other. */
export type Frames = readonly unknown[];

export interface FrameShape {
  /** What its frames begin with; no two of one direction have the same. */
  readonly number: number;
  readonly docs: string;
  /** The fields, in the order in which they follow the number. */
  readonly fields: readonly FieldShape[];
}

type FieldShape = readonly [name: string, type: FieldTypeName, docs?: string];

/** The frames of one direction, by name. */
type FrameShapes = Readonly<Record<string, FrameShape>>;

type Fields<F extends readonly FieldShape[]> = { -readonly [Index in keyof F]: Written<F[Index][1]> };

/** Any frame of these, as it is written. */
export type FrameOf<Shapes extends FrameShapes> = {
  [Name in keyof Shapes]: [kind: Shapes[Name]["number"], ...fields: Fields<Shapes[Name]["fields"]>];
}[keyof Shapes];

export type FrameNumbers<Shapes extends FrameShapes> = { readonly [Name in keyof Shapes]: Shapes[Name]["number"] };

/** By frame and field. `at`: index of the frame's number. Each throws for a field that is not of its type. */
export type FieldReaders<Shapes extends FrameShapes> = {
  readonly [Name in keyof Shapes]: {
    readonly [Field in Shapes[Name]["fields"][number] as Field[0]]: (frames: Frames, at: number) => Read<Field[1]>;
  };
};

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

export function readersOf<Shapes extends FrameShapes>(shapes: Shapes): FieldReaders<Shapes> {
  const readers = Object.entries(shapes).map(([frame, { fields }]) => [
    frame,
    Object.fromEntries(fields.map(([name, type], index) => [name, readerOf(type, index + 1, `${name} of '${frame}'`)])),
  ]);
  return Object.fromEntries(readers) as FieldReaders<Shapes>;
}

function readerOf(type: FieldTypeName, offset: number, what: string): (frames: Frames, at: number) => unknown {
  const { read } = fieldTypes[type];
  return (frames, at) => read(frames[at + offset], what);
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
