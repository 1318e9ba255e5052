/** The designer's log: lines on standard error. No token, password, cookie or body is in one. */
export interface Log {
  line(text: string): void;
}

export const standardLog: Log = {
  line(text) {
    // Names that people type are in some lines.
    const plain = text.replace(/\p{Cc}/gu, " ");
    process.stderr.write(`${new Date().toISOString()} ${plain}\n`);
  },
};
