/** Reads what a thread asks about groups of an `aggregate` step. Throws for what the protocol does not have. */
import type { Frames } from "../../../shared/frame-shape.ts";
import { objectOf, text, whole } from "../../../shared/frame-values.ts";
import { controlFields } from "../../../shared/frames-to-control.ts";
import type { Limits } from "../../../shared/limits.ts";
import { type GroupAbout, type GroupOperation, longestGroupText, longestStateKey } from "../../../shared/state.ts";
import { readError } from "./thread-frames.ts";

const { groups } = controlFields;

export interface GroupsFrame {
  readonly id: number;
  readonly operation: GroupOperation;
  readonly name: string;
  readonly about: GroupAbout;
  /** Empty: there is none. */
  readonly message: Uint8Array;
}

export function readGroups(frames: Frames, at: number, limits: Limits): GroupsFrame {
  return {
    id: groups.id(frames, at),
    operation: groups.operation(frames, at),
    name: groups.name(frames, at),
    about: readAbout(groups.about(frames, at), limits),
    message: groups.message(frames, at) ?? new Uint8Array(),
  };
}

function readAbout(json: string, limits: Limits): GroupAbout {
  const { group, key, messages, deadline, by, groups: listed, fingerprint, error } = objectOf(JSON.parse(json));
  return {
    group: short(group),
    key: short(key, longestStateKey),
    messages: number(messages),
    deadline: number(deadline),
    by: short(by),
    groups: list(listed, limits.aggregateGroups + 1).map((one) => {
      const [id, size, cause] = list(one, 3);
      return [short(id), number(size), short(cause)] as const;
    }),
    fingerprint: short(fingerprint),
    error: error === undefined || error === null ? null : readError(objectOf(error), limits),
  };
}

function short(value: unknown, most = longestGroupText): string {
  const read = value === undefined ? "" : text(value, "a text about groups");
  if (read.length > most) throw new Error("a text about groups is short");
  return read;
}

function number(value: unknown): number {
  return value === undefined ? 0 : whole(value, "a number about groups");
}

function list(value: unknown, most: number): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > most) throw new Error("a list about groups has a bound");
  return value;
}
