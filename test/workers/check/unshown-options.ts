/**
 * Options of brokers, mail and servers of files that no test sets yet. The test that reads this list fails when one of
 * them is set somewhere: it leaves the list then.
 */
export const unshownOptions: ReadonlySet<string> = new Set(
  (
    "acknowledgementModeName allowAdditionalHeaders alternativeBodyHeader " +
    "artemisConsumerPriority autoCommitIntervalMs batchWithIndividualHeaders batchingIntervalMs " +
    "ciphers commitTimeoutMs connectionTimeout consumerRequestTimeoutMs destinationType " +
    "disconnect durableSubscriptionName fetchMaxBytes fetchMinBytes " +
    "fetchWaitMaxMs formatDateHeadersToIso8601 groupInstanceId headerDeserializer " +
    "ignoreFileNotFoundOrPermissionError implicit includeAllJMSXProperties isolationLevel jmsKeyFormatStrategy " +
    "keyDeserializer keyExchangeProtocols keySerializer maxPartitionFetchBytes " +
    "maxPollIntervalMs maxReconnectDelay messageIdEnabled messageTimestampEnabled partitionerIgnoreKeys " +
    "preferredAuthentications privateKeyPassphrase pubSubNoLocal " +
    "receiveMaximum reconnectBackoffMaxMs replyCorrelationProperty replyToSameDestinationAllowed " +
    "requestTimeoutMs retryBackoffMaxMs retryBackoffMs serverAliveCountMax serverHostKeys sessionTimeoutMs " +
    "siteCommand willRetained"
  ).split(" "),
);
