/**
 * Options of brokers, mail and servers of files that no test sets yet. The test that reads this list fails when one of
 * them is set somewhere: it leaves the list then.
 */
export const unshownOptions: ReadonlySet<string> = new Set(
  "alternativeBodyHeader ciphers disconnect ignoreFileNotFoundOrPermissionError implicit keyExchangeProtocols preferredAuthentications privateKeyPassphrase serverAliveCountMax serverHostKeys siteCommand".split(
    " ",
  ),
);
