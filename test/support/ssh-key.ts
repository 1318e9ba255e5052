/** Keys for SSH. */
import ssh2 from "ssh2";

interface KeyOptions {
  readonly comment?: string;
  /** Encrypts the private key, in so many rounds. */
  readonly encrypted?: { readonly passphrase: string; readonly rounds: number };
}

/** ssh2 itself cannot read one of some 300 ed25519 keys that it makes, so this one makes keys until it can. */
export function makeSshKey({ comment = "", encrypted }: KeyOptions = {}): {
  readonly public: string;
  readonly private: string;
} {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync("ed25519", {
      comment,
      ...(encrypted !== undefined && { ...encrypted, cipher: "aes256-ctr" as const }),
    });
    if (!(ssh2.utils.parseKey(pair.private, encrypted?.passphrase) instanceof Error)) return pair;
  }
}
