/** Drags a field of the message onto a field of the result, or onto a rule. */
import type { DragEvent } from "react";
import type { FieldNode } from "../model/fields.ts";

/** What is dragged within this page: a browser shows the data of a drag only when it is dropped. */
let dragged: FieldNode | undefined;

export function beginDrag(event: DragEvent, field: FieldNode): void {
  dragged = field;
  event.dataTransfer.effectAllowed = "copy";
  event.dataTransfer.setData("text/plain", field.path.join("."));
}

export function draggedField(): FieldNode | undefined {
  return dragged;
}

export function endDrag(): void {
  dragged = undefined;
}
