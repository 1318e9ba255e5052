/**
 * Options of brokers, mail and servers of files that no test sets yet. The test that reads this list fails when one of
 * them is set somewhere: it leaves the list then.
 */
export const unshownOptions: ReadonlySet<string> = new Set(
  (
    "acknowledgementModeName allowAdditionalHeaders allowNullHeaders alternativeBodyHeader " +
    "artemisConsumerPriority asyncConsumer autoCommitIntervalMs batchWithIndividualHeaders batchingIntervalMs " +
    "ciphers commitTimeoutMs confirmTimeout connectionTimeout consumerRequestTimeoutMs destinationType " +
    "disconnect durableSubscriptionName exclusiveConsumer fetchMaxBytes fetchMinBytes " +
    "fetchWaitMaxMs formatDateHeadersToIso8601 groupInstanceId headerDeserializer " +
    "ignoreFileNotFoundOrPermissionError implicit includeAllJMSXProperties isolationLevel jmsKeyFormatStrategy " +
    "keyDeserializer keyExchangeProtocols keySerializer maxConcurrentConsumers maxPartitionFetchBytes " +
    "maxPollIntervalMs maxReconnectDelay messageIdEnabled messageTimestampEnabled partitionerIgnoreKeys " +
    "preferredAuthentications privateKeyPassphrase pubSubNoLocal publisherAcknowledgementsTimeout reQueue " +
    "receiveMaximum reconnectBackoffMaxMs replyCorrelationProperty replyToSameDestinationAllowed " +
    "requestTimeoutMs retryBackoffMaxMs retryBackoffMs serverAliveCountMax serverHostKeys sessionTimeoutMs " +
    "siteCommand skipBindQueue skipDeclareExchange skipDeclareQueue skipDlqDeclare skipExchangeDeclare " +
    "skipQueueBind skipQueueDeclare sslProtocol willRetained"
  ).split(" "),
);
