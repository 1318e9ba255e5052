/**
 * Types and readers for the frames between control and a flow's thread, derived from the descriptions in
 * frames-to-thread.ts and frames-to-control.ts. A message on the port is one flat array of frames, `[number, field,
 * field, ..., number, field, ...]`, posted at the end of a turn of the event loop, or as soon as it is long
 * (outbox.ts). Structured clone is fast with flat arrays of strings and numbers, and slow with objects. So no object is
 * made for a frame: writers push its members, and a reader gets the list and the index where the frame begins.
 */
import { type FieldTypeName, fieldTypes, type Read, type Written } from "./frame-values.ts";

/** Frames, one after the other. */
export type Frames = readonly unknown[];

export interface FrameShape {
  /** The number that its frames begin with, unique in its direction. */
  readonly number: number;
  readonly docs: string;
  /** The fields, in the order in which they follow the number. */
  readonly fields: readonly FieldShape[];
}

type FieldShape = readonly [name: string, type: FieldTypeName, docs?: string];

/** The frames of one direction, by name. */
type FrameShapes = Readonly<Record<string, FrameShape>>;

type Fields<F extends readonly FieldShape[]> = { -readonly [Index in keyof F]: Written<F[Index][1]> };

/** Any frame of these, as a writer pushes it. */
export type FrameOf<Shapes extends FrameShapes> = {
  [Name in keyof Shapes]: [kind: Shapes[Name]["number"], ...fields: Fields<Shapes[Name]["fields"]>];
}[keyof Shapes];

export type FrameNumbers<Shapes extends FrameShapes> = { readonly [Name in keyof Shapes]: Shapes[Name]["number"] };

/** Readers by frame and field. `at`: index of the frame's number. Each throws for a field of another type. */
export type FieldReaders<Shapes extends FrameShapes> = {
  readonly [Name in keyof Shapes]: {
    readonly [Field in Shapes[Name]["fields"][number] as Field[0]]: (frames: Frames, at: number) => Read<Field[1]>;
  };
};

/** A frame that the protocol does not define. The frames after it cannot be read either. */
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

/** Finds the shape of a frame by its number; the function throws UnknownFrame for an unknown one. */
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

/** Returns how many members of the list a frame of this shape takes. */
export function widthOf({ fields }: FrameShape): number {
  return 1 + fields.length;
}
