/** OpenSSH of Debian's package, for tests: SFTP with keys. */
import { mkdir } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { makeSshKey } from "../../support/ssh-key.ts";
import { freePort } from "../ports.ts";
import { program, serverFile, serverFolder } from "../server-process.ts";
import { SessionServer } from "../session-server.ts";

export interface SftpServer {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  /** Of the user; the server takes it, and no other. */
  readonly privateKey: string;
  readonly otherKey: string;
  /** The server takes it as well; it is encrypted with the passphrase. */
  readonly encryptedKey: string;
  readonly passphrase: string;
  /** The line of known_hosts for the server, and one with another key. */
  readonly knownHosts: string;
  readonly wrongHosts: string;
  /** Where the user is after the login. */
  readonly files: string;
  readonly process: SessionServer;
  close(): Promise<void>;
}

interface Pair {
  readonly private: string;
  readonly public: string;
}

function newPair(): Pair {
  return makeSshKey();
}

function newEncryptedPair(passphrase: string): Pair {
  return makeSshKey({ encrypted: { passphrase, rounds: 1 } });
}

/** Returns the program's path. Throws Unavailable. */
export function installSshd(): string {
  return program("/usr/sbin/sshd", ["openssh-server"]);
}

/** Throws Unavailable. */
export async function startSftpServer(): Promise<SftpServer> {
  const command = installSshd();
  const folder = await serverFolder("sftp", undefined);
  const files = join(folder, "files");
  await mkdir(files);
  await mkdir("/run/sshd", { recursive: true });
  const port = await freePort();
  const [host, user, other, otherHost] = [newPair(), newPair(), newPair(), newPair()];
  const passphrase = "a-passphrase-for-tests";
  const encrypted = newEncryptedPair(passphrase);
  const configuration = await serverFile(
    folder,
    undefined,
    "sshd_config",
    [
      `Port ${port}`,
      "ListenAddress 127.0.0.1",
      `HostKey ${await serverFile(folder, undefined, "host_key", host.private.trimEnd())}`,
      `AuthorizedKeysFile ${await serverFile(folder, undefined, "authorized_keys", `${user.public}\n${encrypted.public}`)}`,
      "PermitRootLogin yes",
      "PasswordAuthentication no",
      "KbdInteractiveAuthentication no",
      "StrictModes no",
      "UsePAM no",
      "PidFile none",
      "MaxStartups 100",
      "MaxSessions 100",
      "Subsystem sftp internal-sftp",
      `ForceCommand internal-sftp -d ${files}`,
    ].join("\n"),
  );
  const server = new SessionServer(
    { command, args: ["-D", "-e", "-f", configuration], user: undefined, cwd: folder },
    port,
  );
  await server.start();
  const line = (pair: Pair): string => `[127.0.0.1]:${port} ${pair.public}`;
  return {
    ...{ host: "127.0.0.1", port, username: userInfo().username, files, process: server },
    ...{ privateKey: user.private, otherKey: other.private, knownHosts: line(host), wrongHosts: line(otherHost) },
    ...{ encryptedKey: encrypted.private, passphrase },
    close: () => server.remove(),
  };
}
