/** An FTP server that takes every login, and sends its clients to 169.254.169.254 for data. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

const answers: readonly (readonly [command: RegExp, answer: string])[] = [
  [/^USER/, "331 Password"],
  [/^PASS/, "230 Well"],
  [/^PWD/, '257 "/"'],
  [/^CWD/, "250 Well"],
  [/^TYPE|^STRU|^OPTS/, "200 Well"],
  [/^PASV/, "227 Entering Passive Mode (169,254,169,254,31,144)"],
  [/^LIST|^MLSD/, "150 Here it comes"],
];

export async function startRedirectingFtp(): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.write("220 Here\r\n");
    socket.setEncoding("utf8").on("data", (text: string) => {
      for (const line of text.split("\r\n").filter((one) => one !== "")) {
        const [, answer = "502 Unknown"] = answers.find(([command]) => command.test(line)) ?? [];
        socket.write(`${answer}\r\n`);
      }
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
