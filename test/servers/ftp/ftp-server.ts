/** vsftpd of Debian's package, for tests: the user `ftp` logs in with one password. */
import { chown, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { cert, key } from "../../support/localhost-cert.ts";
import { freePort } from "../ports.ts";
import { program, serverFile, serverFolder, serverUser } from "../server-process.ts";
import { SessionServer } from "../session-server.ts";

export interface FtpServer {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  /** Where the user is after the login. */
  readonly files: string;
  readonly process: SessionServer;
  /** Makes a directory of the user's, which the path begins at. */
  makeDirectory(path: string): Promise<void>;
  close(): Promise<void>;
}

export interface FtpServerOptions {
  /** Absent: without TLS. The certificate is that of test/support/localhost-cert.ts. */
  readonly tls?: "explicit" | "implicit";
}

/** Returns the program's path. Throws Unavailable. */
export function installVsftpd(): string {
  return program("/usr/sbin/vsftpd", ["vsftpd"]);
}

/** Throws Unavailable. */
export async function startFtpServer({ tls }: FtpServerOptions = {}): Promise<FtpServer> {
  const command = installVsftpd();
  const folder = await serverFolder("ftp", undefined);
  const files = join(folder, "files");
  const empty = join(folder, "empty");
  for (const directory of [files, empty]) await mkdir(directory, { mode: 0o755 });
  const user = serverUser("ftp");
  await chown(folder, 0, 0);
  const port = await freePort();
  const password = "a-password-for-tests";
  const settings: Record<string, string> = {
    listen: "YES",
    listen_ipv6: "NO",
    listen_address: "127.0.0.1",
    listen_port: String(port),
    background: "NO",
    anonymous_enable: "YES",
    local_enable: "NO",
    write_enable: "YES",
    anon_upload_enable: "YES",
    anon_mkdir_write_enable: "YES",
    anon_other_write_enable: "YES",
    anon_world_readable_only: "NO",
    anon_umask: "022",
    anon_root: files,
    // Passwords of the user `ftp`.
    secure_email_list_enable: "YES",
    email_password_file: await serverFile(folder, undefined, "passwords", password),
    pasv_promiscuous: "NO",
    seccomp_sandbox: "NO",
    secure_chroot_dir: empty,
    xferlog_enable: "NO",
    mdtm_write: "YES",
    max_per_ip: "0",
    ...(tls !== undefined && {
      ssl_enable: "YES",
      allow_anon_ssl: "YES",
      force_anon_data_ssl: "YES",
      force_anon_logins_ssl: "YES",
      implicit_ssl: tls === "implicit" ? "YES" : "NO",
      rsa_cert_file: await serverFile(folder, undefined, "server.crt", cert),
      rsa_private_key_file: await serverFile(folder, undefined, "server.key", key),
    }),
  };
  const text = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const configuration = await serverFile(folder, undefined, "vsftpd.conf", text.join("\n"));
  const server = new SessionServer({ command, args: [configuration], user: undefined, cwd: folder }, port);
  await server.start();
  return {
    ...{ host: "127.0.0.1", port, username: "ftp", password, files, process: server },
    async makeDirectory(path) {
      const whole = join(files, path);
      await mkdir(whole, { recursive: true });
      if (user !== undefined) await chown(whole, user.uid, user.gid);
    },
    close: () => server.remove(),
  };
}
