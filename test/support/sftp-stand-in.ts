/** An SFTP server with one directory in memory, whose connections can be cut in the middle of a transfer. */
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import ssh2, { type Connection } from "ssh2";
import { makeSshKey } from "./ssh-key.ts";

const { Server, utils } = ssh2;
const { STATUS_CODE: status } = utils.sftp;

export interface SftpStandIn {
  readonly port: number;
  /** A line for the option `knownHosts`. */
  readonly knownHosts: string;
  readonly files: Map<string, Buffer>;
  /** Cuts the connection with the next request of this kind. */
  cutAt(request: "READ" | "WRITE"): void;
}

export async function startSftpStandIn(t: TestContext): Promise<SftpStandIn> {
  const key = makeSshKey();
  const files = new Map<string, Buffer>();
  const clients = new Set<Connection>();
  let cut: "READ" | "WRITE" | undefined;
  const attrs = (content: Buffer | undefined) => ({
    mode: content === undefined ? 0o040755 : 0o100644,
    ...{ uid: 0, gid: 0, atime: 1, mtime: 1 },
    size: content?.length ?? 0,
  });
  const server = new Server({ hostKeys: [key.private] }, (client) => {
    clients.add(client);
    client.on("error", () => {}).on("close", () => clients.delete(client));
    client.on("authentication", (login) => login.accept());
    client.on("session", (accept) =>
      accept().on("sftp", (open) => {
        const sftp = open();
        const handles = new Map<string, { readonly path: string; read: boolean }>();
        const opened = (id: number, path: string): void => {
          const handle = String(handles.size);
          handles.set(handle, { path, read: false });
          sftp.handle(id, Buffer.from(handle));
        };
        const isCut = (request: "READ" | "WRITE"): boolean => {
          if (cut !== request) return false;
          cut = undefined;
          client.end();
          return true;
        };
        const look = (id: number, path: string): void => {
          const name = path.replace(/^\.?\/?/, "");
          if (name !== "" && !files.has(name)) return void sftp.status(id, status.NO_SUCH_FILE);
          sftp.attrs(id, attrs(files.get(name)));
        };
        const nameOf = (handle: Buffer): string => handles.get(handle.toString())?.path.replace(/^\.?\/?/, "") ?? "";
        sftp.on("OPENDIR", opened);
        sftp.on("READDIR", (id, handle) => {
          const known = handles.get(handle.toString());
          if (known === undefined || known.read) return void sftp.status(id, status.EOF);
          known.read = true;
          sftp.name(
            id,
            [...files].map(([filename, content]) => ({ filename, longname: filename, attrs: attrs(content) })),
          );
        });
        sftp.on("OPEN", (id, path, flags) => {
          if ((flags & utils.sftp.OPEN_MODE.CREAT) !== 0) files.set(path.replace(/^\.?\/?/, ""), Buffer.alloc(0));
          opened(id, path);
        });
        sftp.on("READ", (id, handle, offset, length) => {
          if (isCut("READ")) return;
          const part = files.get(nameOf(handle))?.subarray(offset, offset + length) ?? Buffer.alloc(0);
          if (part.length === 0) sftp.status(id, status.EOF);
          else sftp.data(id, part);
        });
        sftp.on("WRITE", (id, handle, offset, data) => {
          if (isCut("WRITE")) return;
          const name = nameOf(handle);
          const before = files.get(name) ?? Buffer.alloc(0);
          const content = Buffer.alloc(Math.max(before.length, offset + data.length));
          before.copy(content);
          data.copy(content, offset);
          files.set(name, content);
          sftp.status(id, status.OK);
        });
        sftp.on("FSTAT", (id, handle) => void sftp.attrs(id, attrs(files.get(nameOf(handle)))));
        sftp.on("LSTAT", look).on("STAT", look);
        sftp.on("CLOSE", (id) => void sftp.status(id, status.OK));
        sftp.on("MKDIR", (id) => void sftp.status(id, status.OK));
        sftp.on("REALPATH", (id) => void sftp.name(id, [{ filename: "/", longname: "/", attrs: attrs(undefined) }]));
        sftp.on("RENAME", (id, from, to) => {
          const [old, now] = [from, to].map((path) => path.replace(/^\.?\/?/, "")) as [string, string];
          files.set(now, files.get(old) ?? Buffer.alloc(0));
          files.delete(old);
          sftp.status(id, status.OK);
        });
        sftp.on("REMOVE", (id, path) => {
          sftp.status(id, files.delete(path.replace(/^\.?\/?/, "")) ? status.OK : status.NO_SUCH_FILE);
        });
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    for (const client of clients) client.end();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    knownHosts: `[127.0.0.1]:${port} ${key.public.trim()}`,
    files,
    cutAt: (request) => {
      cut = request;
    },
  };
}
