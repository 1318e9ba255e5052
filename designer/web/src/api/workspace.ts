/** The flows on the disk of the designer's server: its own API, with ETag and If-Match. */
import type { Conflict, DeployedRecord, FailedRecord, FlowEntry, FlowFile, FlowWrite } from "../../../shared/wire.ts";
import { call } from "./designer.ts";
import { DesignerError } from "./errors.ts";

function pathOf(id: string): string {
  return `/designer/flows/${encodeURIComponent(id)}`;
}

export async function listFlows(signal?: AbortSignal): Promise<readonly FlowEntry[]> {
  return (await call<readonly FlowEntry[]>("/designer/flows", { signal })).data;
}

export async function readFlow(id: string, signal?: AbortSignal): Promise<FlowFile> {
  return (await call<FlowFile>(pathOf(id), { signal })).data;
}

/** Writes a new flow. Rejects with a conflict (see `conflictOf`) when there is one of that id. */
export async function createFlow(id: string, flow: FlowWrite): Promise<FlowFile> {
  return (await call<FlowFile>(pathOf(id), { method: "PUT", body: flow, headers: { "If-None-Match": "*" } })).data;
}

/** Writes a flow over the version `etag`. Rejects with a conflict when the disk has another one by now. */
export async function writeFlow(id: string, etag: string, flow: FlowWrite): Promise<FlowFile> {
  return (await call<FlowFile>(pathOf(id), { method: "PUT", body: flow, headers: { "If-Match": etag } })).data;
}

export async function deleteFlow(id: string, etag: string): Promise<void> {
  await call(pathOf(id), { method: "DELETE", headers: { "If-Match": etag } });
}

/** Notes what was deployed from here, so that later changes on either side are seen. */
export async function recordDeployed(id: string, record: DeployedRecord): Promise<FlowEntry> {
  return (await call<FlowEntry>(`${pathOf(id)}/deployed`, { method: "POST", body: record })).data;
}

/** Notes why a deployment was refused, until one succeeds. */
export async function recordFailed(id: string, record: FailedRecord): Promise<FlowEntry> {
  return (await call<FlowEntry>(`${pathOf(id)}/failed`, { method: "POST", body: record })).data;
}

/** What the disk has in place of the version that a write was meant for; undefined: the error is another one. */
export function conflictOf(error: unknown): Conflict | undefined {
  return error instanceof DesignerError && error.status === 412 ? (error.body as Conflict) : undefined;
}
