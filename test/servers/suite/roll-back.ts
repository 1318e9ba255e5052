/** Brings back the revision of a flow before the present one. */
export async function rollBack(
  { api }: { api(path: string, init?: RequestInit): Promise<Response> },
  flowId: string,
): Promise<Response> {
  const revisions = (await (await api(`/flows/${flowId}/revisions`)).json()) as readonly {
    readonly revision: number;
  }[];
  const [, before] = revisions.map(({ revision }) => revision).sort((a, b) => b - a);
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ revision: before });
  return await api(`/flows/${flowId}/rollback`, { method: "POST", headers, body });
}
