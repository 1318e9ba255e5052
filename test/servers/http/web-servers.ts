/** nginx and tinyproxy of Debian's packages, for tests. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cert, key } from "../../support/localhost-cert.ts";
import { freePort } from "../ports.ts";
import { program, serverFile, serverFolder } from "../server-process.ts";
import { SessionServer } from "../session-server.ts";

/** Returns the program's path. Throws Unavailable. */
export function installNginx(): string {
  return program("/usr/sbin/nginx", ["nginx-light"]);
}

/** Returns the program's path. Throws Unavailable. */
export function installTinyproxy(): string {
  return program("/usr/bin/tinyproxy", ["tinyproxy-bin"]);
}

export interface WebServer {
  readonly port: number;
  /** What it has logged: the lines of its requests. */
  log(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/**
 * Starts nginx with TLS and HTTP/2. It takes clients with the certificate of test/support/localhost-cert.ts alone, answers with the name in
 * it and the protocol, and stores what is put under /files.
 */
export async function startNginx(): Promise<WebServer> {
  const command = installNginx();
  const folder = await serverFolder("nginx", undefined);
  const port = await freePort();
  const at = async (name: string, text: string): Promise<string> => serverFile(folder, undefined, name, text);
  await mkdir(join(folder, "temporary"));
  await writeFile(join(folder, "access.log"), "");
  const configuration = await at(
    "nginx.conf",
    `daemon off;
user root;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  log_format asked '$request by $ssl_client_s_dn $connection';
  access_log ${folder}/access.log asked;
  client_body_temp_path ${folder}/temporary;
  client_max_body_size 20m;
  keepalive_requests 20;
  server {
    listen 127.0.0.1:${port} ssl http2;
    ssl_certificate ${await at("server.crt", cert)};
    ssl_certificate_key ${await at("server.key", key)};
    ssl_client_certificate ${await at("ca.crt", cert)};
    ssl_verify_client on;
    location /files/ { root ${folder}; dav_methods PUT; create_full_put_path on; }
    location / { return 200 "$ssl_client_s_dn $server_protocol"; }
  }
}`,
  );
  const server = new SessionServer({ command, args: ["-c", configuration], user: undefined, cwd: folder }, port);
  await server.start();
  return { port, log: () => linesOf(join(folder, "access.log")), close: () => server.remove() };
}

/** Starts tinyproxy, which wants this user and password. */
export async function startTinyproxy(user: string, password: string): Promise<WebServer> {
  const command = installTinyproxy();
  const folder = await serverFolder("tinyproxy", undefined);
  const port = await freePort();
  const log = join(folder, "log");
  const settings = [
    `Port ${port}`,
    "Listen 127.0.0.1",
    "Timeout 60",
    `LogFile "${log}"`,
    "LogLevel Connect",
    `BasicAuth ${user} ${password}`,
  ];
  const configuration = await serverFile(folder, undefined, "tinyproxy.conf", settings.join("\n"));
  const server = new SessionServer({ command, args: ["-d", "-c", configuration], user: undefined, cwd: folder }, port);
  await server.start();
  const asked = async (): Promise<readonly string[]> => (await linesOf(log)).filter((line) => /Request /.test(line));
  return { port, log: asked, close: () => server.remove() };
}

async function linesOf(path: string): Promise<readonly string[]> {
  return (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
}
