/**
 * Options of brokers, mail and servers of files that no test sets yet. The test that reads this list fails when one of
 * them is set somewhere: it leaves the list then.
 */
export const unshownOptions: ReadonlySet<string> = new Set(
  "acknowledgementModeName allowAdditionalHeaders alternativeBodyHeader artemisConsumerPriority ciphers connectionTimeout destinationType disconnect durableSubscriptionName formatDateHeadersToIso8601 ignoreFileNotFoundOrPermissionError implicit includeAllJMSXProperties jmsKeyFormatStrategy keyExchangeProtocols maxReconnectDelay messageIdEnabled messageTimestampEnabled preferredAuthentications privateKeyPassphrase pubSubNoLocal receiveMaximum replyCorrelationProperty replyToSameDestinationAllowed serverAliveCountMax serverHostKeys siteCommand willRetained".split(
    " ",
  ),
);
