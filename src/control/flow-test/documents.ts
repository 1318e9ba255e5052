/** Installs and removes documents, named as a directory of flows has them: `value-mappings/order-status`. */
import { type BulkheadClient, orThrow } from "../../client/index.ts";

/** Sends the text as it is: parsing it would lose what the runtime has to refuse. Throws ApiError, UnreachableError. */
export async function putDocument(api: BulkheadClient, path: string, text: string): Promise<void> {
  const { kind, id } = partsOf(path);
  const query = { strict: true };
  const sent = { body: text as never, headers: { "Content-Type": "application/json" } };
  const params = { path: { id }, query };
  if (kind === "value-mappings") await orThrow(api.PUT("/_api/value-mappings/{id}", { params, ...sent }));
  else if (kind === "message-mappings") await orThrow(api.PUT("/_api/message-mappings/{id}", { params, ...sent }));
  else if (kind === "connections")
    await orThrow(api.PUT("/_api/connections/{name}", { params: { path: { name: id } }, ...sent }));
  else await orThrow(api.PUT("/_api/auth/{flowId}", { params: { path: { flowId: id }, query }, ...sent }));
}

/** Removes the document if it is there. Throws UnreachableError. */
export async function removeDocument(api: BulkheadClient, path: string): Promise<void> {
  const { kind, id } = partsOf(path);
  const params = { path: { id } };
  if (kind === "value-mappings") await api.DELETE("/_api/value-mappings/{id}", { params });
  else if (kind === "message-mappings") await api.DELETE("/_api/message-mappings/{id}", { params });
  else if (kind === "connections") await api.DELETE("/_api/connections/{name}", { params: { path: { name: id } } });
  else await api.DELETE("/_api/auth/{flowId}", { params: { path: { flowId: id } } });
}

function partsOf(path: string): { readonly kind: string; readonly id: string } {
  const slash = path.indexOf("/");
  return { kind: path.slice(0, slash), id: path.slice(slash + 1) };
}
