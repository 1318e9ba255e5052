/**
 * Names in the catalogue of Apache Camel 4.22, written by `npm run camel-names`: do not edit. They tell what this runtime
 * lacks. Each part has `id`, `description`, `note` and `disabled` besides, and languages and data formats stand in parts
 * under their own names.
 */

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The paths of options such as `onFallback(fallbackViaNetwork steps)`. */
function paths(options: string): readonly string[] {
  const above: string[] = [];
  return [...options.matchAll(/([\w.-]+)(\(?)|\)/g)].flatMap(([, name, opens]) => {
    if (name === undefined) {
      above.pop();
      return [];
    }
    const path = [...above, name].join(".");
    if (opens !== "") above.push(name);
    return [path];
  });
}

/** `name: options`, each on a line that is not indented further. */
const parts = (text: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    text
      .trim()
      .split(/\n {2}(?! )/)
      .map((part) => {
        const colon = part.indexOf(":");
        return [part.slice(0, colon), paths(part.slice(colon))] as const;
      }),
  );

/** Functions of simple, with the names of their arguments. */
export const camelFunctions = words(`
  a2a:card a2a:card.capabilities a2a:card.description a2a:card.documentationUrl a2a:card.iconUrl a2a:card.name
    a2a:card.provider a2a:card.security a2a:card.securityRequirements a2a:card.securitySchemes a2a:card.skills
    a2a:card.skills.json a2a:card.supportedInterfaces a2a:card.url a2a:card.version a2a:data a2a:data(expression)
    a2a:emit(message) a2a:emit(state,message) a2a:file a2a:file(expression) a2a:text a2a:text(expression) abs(exp)
    assert(exp,msg) attachment.name attachments attachmentsContent.name attachmentsContentAs(name,type)
    attachmentsContentAsText.name attachmentsHeader(key,name) attachmentsHeaderAs(key,name,type) attachmentsKeys
    attachmentsSize average(val...) base64Decode(exp) base64Encode(exp) bean(name.method) body bodyAs(type) bodyOneLine
    bodyType camelContext camelId capitalize(exp) ceil(exp) clearAttachments collate(num) concat(exp,exp,separator)
    contains(exp,text) convertTo(exp,type) date(command) date-with-timezone(command:timezone:pattern) distinct(val...)
    empty(type) env.name exception exception.message exception.stackTrace exchange exchangeId exchangeProperty.name
    file:absolute file:absolute.path file:length file:modified file:name file:name.ext file:name.ext.single
    file:name.noext file:name.noext.single file:onlyname file:onlyname.noext file:onlyname.noext.single file:parent
    file:path file:size filter(exp,fun) floor(exp) forEach(exp,fun) fromRouteId function(name,exp) hash(exp,algorithm)
    header.name headerAs(key,type) headers hostName htmlClean(exp) htmlDecode(exp) htmlParse(exp) id
    iif(predicate,trueExp,falseExp) isAlpha(exp) isAlphaNumeric(exp) isEmpty(exp) isNumeric(exp)
    join(separator,prefix,exp) jq(input,exp) jsonpath(input,exp) kindOfType(exp) length(exp) list(val...)
    listAdd(source,exp) listRemove(source,exp) load(file) lowercase(exp) mandatoryBodyAs(type) map(key1,value1,...)
    mapAdd(source,key,exp) mapRemove(source,key) max(val...) messageAs(type) messageHistory(boolean) messageTimestamp
    min(val...) newEmpty(type) normalizeWhitespace(exp) not null originalBody pad(exp,width,separator) pretty(exp)
    prettyBody properties:key:default propertiesExist:key quote(exp) random(min,max) range(min,max) ref:name
    replace(from,to,exp) reverse(val...) routeGroup routeId safeQuote(exp) setHeader(name,type,exp) setVariable(key,exp)
    setVariable(name,type,exp) shuffle(val...) simpleJsonpath(input,exp) size(exp) skip(num) sort(exp,reverse)
    split(exp,separator) stepId substring(head,tail) substringAfter(exp,before) substringBefore(exp,before)
    substringBetween(exp,after,before) sum(val...) sys.name threadId threadName throwException(type,msg) toJson(exp)
    toJsonBody toPrettyJson(exp) toPrettyJsonBody trim(exp) type:name.field unquote(exp) uppercase(exp) uuid(type)
    val(exp) variable.name variableAs(key,type) variables xpath(input,exp)
`);

/** Operators of simple. */
export const camelOperators = words(`
  == =~ > >= < <= != !=~ contains !contains ~~ !~~ regex !regex in !in is !is range !range startsWith !startsWith endsWith
    !endsWith ++ -- && || ?…: ~> ?~> ?:
`).map((operator) => operator.replace("…", " "));

export const camelStepOptions = parts(`
  aggregate: aggregateController aggregationRepository aggregationStrategy aggregationStrategyMethodAllowNull
    aggregationStrategyMethodName closeCorrelationKeyOnCompletion completeAllOnStop completionFromBatchConsumer
    completionInterval completionOnNewCorrelationGroup completionPredicate completionSize completionSizeExpression
    completionTimeout completionTimeoutCheckerInterval completionTimeoutExpression correlationExpression
    discardOnAggregationFailure discardOnCompletionTimeout eagerCheckCompletion executorService forceCompletionOnStop
    ignoreInvalidCorrelationKeys optimisticLockRetryPolicy(exponentialBackOff maximumRetries maximumRetryDelay
    randomBackOff retryDelay) optimisticLocking optimisticLockingSyncRetry parallelProcessing steps
    timeoutCheckerExecutorService
  choice: otherwise(steps) precondition when(steps)
  circuitBreaker: configuration faultToleranceConfiguration(bulkheadEnabled bulkheadMaxConcurrentCalls
    bulkheadWaitingTaskQueue delay failureRatio requestVolumeThreshold successThreshold threadOffloadExecutorService
    timeoutDuration timeoutEnabled typedGuard) onFallback(fallbackViaNetwork steps) resilience4jConfiguration(asynchronous
    automaticTransitionFromOpenToHalfOpenEnabled bulkheadEnabled bulkheadFairCallHandlingEnabled
    bulkheadMaxConcurrentCalls bulkheadMaxWaitDuration circuitBreaker config failureRateThreshold ignoreException
    maxWaitDurationInHalfOpenState micrometerEnabled minimumNumberOfCalls permittedNumberOfCallsInHalfOpenState
    recordException slidingWindowSize slidingWindowSynchronizationStrategy slidingWindowType slowCallDurationThreshold
    slowCallRateThreshold throwExceptionWhenHalfOpenOrOpenState timeoutCancelRunningFuture timeoutDuration timeoutEnabled
    timeoutExecutorService waitDurationInOpenState writableStackTraceEnabled) steps
  claimCheck: aggregationStrategy aggregationStrategyMethodName filter key operation
  convertBodyTo: charset mandatory type
  convertHeaderTo: charset mandatory name toName type
  convertVariableTo: charset mandatory name toName type
  delay: asyncDelayed callerRunsWhenRejected executorService
  doTry: doCatch(exception onWhen steps) doFinally(steps) steps
  dynamicRouter: allowedSchemes cacheSize ignoreInvalidEndpoints uriDelimiter
  enrich: aggregateOnException aggregationStrategy aggregationStrategyMethodAllowNull aggregationStrategyMethodName
    allowOptimisedComponents allowedSchemes autoStartComponents cacheSize ignoreInvalidEndpoint shareUnitOfWork
    variableReceive variableSend
  filter: statusPropertyName steps
  idempotentConsumer: completionEager eager idempotentRepository removeOnFailure skipDuplicate steps
  kamelet: name parameters steps
  loadBalance: customLoadBalancer(ref) failoverLoadBalancer(exception maximumFailoverAttempts roundRobin sticky)
    randomLoadBalancer roundRobinLoadBalancer steps stickyLoadBalancer(correlationExpression) topicLoadBalancer
    weightedLoadBalancer(distributionRatio distributionRatioDelimiter roundRobin)
  log: logLanguage logName logger loggingLevel marker message
  loop: breakOnShutdown copy doWhile onPrepare steps
  marshal: variableReceive variableSend
  multicast: aggregationStrategy aggregationStrategyMethodAllowNull aggregationStrategyMethodName executorService
    onPrepare parallelAggregate parallelProcessing shareUnitOfWork steps stopOnException streaming synchronous timeout
  pipeline: steps
  poll: parameters timeout uri variableReceive
  pollEnrich: aggregateOnException aggregationStrategy aggregationStrategyMethodAllowNull aggregationStrategyMethodName
    allowOptimisedComponents allowedSchemes autoStartComponents cacheSize ignoreInvalidEndpoint timeout variableReceive
  recipientList: aggregationStrategy aggregationStrategyMethodAllowNull aggregationStrategyMethodName allowedSchemes
    cacheSize delimiter executorService ignoreInvalidEndpoints onPrepare parallelAggregate parallelProcessing
    shareUnitOfWork stopOnException streaming synchronous timeout
  removeHeader: name
  removeHeaders: excludePattern pattern
  removeProperties: excludePattern pattern
  removeProperty: name
  removeVariable: name
  resequence: batchConfig(allowDuplicates batchSize batchTimeout ignoreInvalidExchanges reverse) steps
    streamConfig(capacity comparator deliveryAttemptInterval ignoreInvalidExchanges rejectOld timeout)
  rollback: markRollbackOnly markRollbackOnlyLast message
  routingSlip: allowedSchemes cacheSize ignoreInvalidEndpoints uriDelimiter
  sample: messageFrequency samplePeriod
  script: 
  setBody: 
  setExchangePattern: pattern
  setHeader: name
  setHeaders: headers(name)
  setProperty: name
  setVariable: name
  setVariables: variables(name)
  sort: comparator
  split: aggregationStrategy aggregationStrategyMethodAllowNull aggregationStrategyMethodName delimiter errorThreshold
    executorService group maxFailedRecords onPrepare parallelAggregate parallelProcessing resumeStrategy shareUnitOfWork
    steps stopOnException streaming synchronous timeout watermarkExpression watermarkKey
  step: steps
  stop: 
  threads: allowCoreThreadTimeOut callerRunsWhenRejected executorService keepAliveTime maxPoolSize maxQueueSize poolSize
    rejectedPolicy threadName timeUnit
  throttle: asyncDelayed callerRunsWhenRejected correlationExpression executorService mode rejectExecution
    timePeriodMillis
  throwException: exceptionType message ref
  to: parameters pattern uri variableReceive variableSend
  toD: allowOptimisedComponents allowedSchemes autoStartComponents cacheSize ignoreInvalidEndpoint parameters pattern uri
    variableReceive variableSend
  transacted: ref steps
  transform: 
  unmarshal: allowNullBody variableReceive variableSend
  validate: predicateExceptionFactory
  wireTap: allowOptimisedComponents allowedSchemes autoStartComponents cacheSize copy dynamicUri executorService
    ignoreInvalidEndpoint onPrepare parameters uri variableReceive variableSend
`);

export const camelElementOptions = parts(`
  beans: builderClass builderMethod constructors destroyMethod factoryBean factoryMethod initMethod name properties script
    scriptLanguage scriptPropertyPlaceholders type
  errorHandler: deadLetterChannel(deadLetterHandleNewException deadLetterUri executorServiceRef level logName loggerRef
    onExceptionOccurredRef onPrepareFailureRef onRedeliveryRef redeliveryPolicy(allowRedeliveryWhileStopping
    asyncDelayedRedelivery backOffMultiplier collisionAvoidanceFactor delayPattern disableRedelivery exchangeFormatterRef
    logContinued logExhausted logExhaustedMessageBody logExhaustedMessageHistory logHandled logNewException
    logRetryAttempted logRetryStackTrace logStackTrace maximumRedeliveries maximumRedeliveryDelay redeliveryDelay
    retriesExhaustedLogLevel retryAttemptedLogInterval retryAttemptedLogLevel useCollisionAvoidance useExponentialBackOff)
    redeliveryPolicyRef retryWhileRef useOriginalBody useOriginalMessage) defaultErrorHandler(executorServiceRef level
    logName loggerRef onExceptionOccurredRef onPrepareFailureRef onRedeliveryRef
    redeliveryPolicy(allowRedeliveryWhileStopping asyncDelayedRedelivery backOffMultiplier collisionAvoidanceFactor
    delayPattern disableRedelivery exchangeFormatterRef logContinued logExhausted logExhaustedMessageBody
    logExhaustedMessageHistory logHandled logNewException logRetryAttempted logRetryStackTrace logStackTrace
    maximumRedeliveries maximumRedeliveryDelay redeliveryDelay retriesExhaustedLogLevel retryAttemptedLogInterval
    retryAttemptedLogLevel useCollisionAvoidance useExponentialBackOff) redeliveryPolicyRef retryWhileRef useOriginalBody
    useOriginalMessage) jtaTransactionErrorHandler(executorServiceRef level logName loggerRef onExceptionOccurredRef
    onPrepareFailureRef onRedeliveryRef redeliveryPolicy(allowRedeliveryWhileStopping asyncDelayedRedelivery
    backOffMultiplier collisionAvoidanceFactor delayPattern disableRedelivery exchangeFormatterRef logContinued
    logExhausted logExhaustedMessageBody logExhaustedMessageHistory logHandled logNewException logRetryAttempted
    logRetryStackTrace logStackTrace maximumRedeliveries maximumRedeliveryDelay redeliveryDelay retriesExhaustedLogLevel
    retryAttemptedLogInterval retryAttemptedLogLevel useCollisionAvoidance useExponentialBackOff) redeliveryPolicyRef
    retryWhileRef rollbackLoggingLevel transactedPolicyRef useOriginalBody useOriginalMessage) noErrorHandler
    refErrorHandler(ref) springTransactionErrorHandler(executorServiceRef level logName loggerRef onExceptionOccurredRef
    onPrepareFailureRef onRedeliveryRef redeliveryPolicy(allowRedeliveryWhileStopping asyncDelayedRedelivery
    backOffMultiplier collisionAvoidanceFactor delayPattern disableRedelivery exchangeFormatterRef logContinued
    logExhausted logExhaustedMessageBody logExhaustedMessageHistory logHandled logNewException logRetryAttempted
    logRetryStackTrace logStackTrace maximumRedeliveries maximumRedeliveryDelay redeliveryDelay retriesExhaustedLogLevel
    retryAttemptedLogInterval retryAttemptedLogLevel useCollisionAvoidance useExponentialBackOff) redeliveryPolicyRef
    retryWhileRef rollbackLoggingLevel transactedPolicyRef useOriginalBody useOriginalMessage)
  from: parameters steps uri variableReceive
  intercept: onWhen steps
  interceptFrom: onWhen steps uri
  interceptSendToEndpoint: afterUri onWhen skipSendToOriginalEndpoint steps uri
  onCompletion: executorService mode onCompleteOnly onFailureOnly onWhen parallelProcessing steps useOriginalMessage
  onException: continued exception handled onExceptionOccurredRef onRedeliveryRef onWhen
    redeliveryPolicy(allowRedeliveryWhileStopping asyncDelayedRedelivery backOffMultiplier collisionAvoidanceFactor
    delayPattern disableRedelivery exchangeFormatterRef logContinued logExhausted logExhaustedMessageBody
    logExhaustedMessageHistory logHandled logNewException logRetryAttempted logRetryStackTrace logStackTrace
    maximumRedeliveries maximumRedeliveryDelay redeliveryDelay retriesExhaustedLogLevel retryAttemptedLogInterval
    retryAttemptedLogLevel useCollisionAvoidance useExponentialBackOff) redeliveryPolicyRef retryWhile steps
    useOriginalBody useOriginalMessage
  rest: apiDocs bindingMode clientRequestValidation clientResponseValidation consumes delete enableCORS
    enableNoContentResponse get(apiDocs bindingMode clientRequestValidation clientResponseValidation consumes deprecated
    enableCORS enableNoContentResponse outType param(allowableValues(value) arrayType collectionFormat dataFormat dataType
    defaultValue examples(key value) name required type) path produces responseMessage(code contentType examples(key
    value) header(allowableValues(value) arrayType collectionFormat dataFormat dataType example name) message
    responseModel) routeId security(key scopes) skipBindingOnErrorCode streamCache to(parameters pattern uri
    variableReceive variableSend) type) head openApi(apiContextPath missingOperation mockIncludePattern routeId
    specification) patch path post produces put securityDefinitions(apiKey(inCookie inHeader inQuery key name)
    basicAuth(key) bearerToken(format key) mutualTLS(key) oauth2(authorizationUrl flow key refreshUrl scopes(key value)
    tokenUrl) openIdConnect(key url)) securityRequirements(key scopes) skipBindingOnErrorCode tag
  restConfiguration: apiComponent apiContextPath apiContextRouteId apiHost apiProperty(key value) apiVendorExtension
    bindingMode bindingPackageScan clientRequestValidation clientResponseValidation component componentProperty(key value)
    consumerProperty(key value) contextPath corsHeaders(key value) dataFormatProperty(key value) enableCORS
    enableNoContentResponse endpointProperty(key value) host hostNameResolver inlineRoutes jsonDataFormat port
    producerApiDoc producerComponent scheme skipBindingOnErrorCode useXForwardHeaders validationLevels(key value)
    xmlDataFormat
  route: autoStartup errorHandler errorHandlerRef from group inputType(urn validate) logMask messageHistory nodePrefixId
    outputType(urn validate) precondition routeConfigurationId routePolicyRef shutdownRoute shutdownRunningTask
    startupOrder streamCache trace
  routeConfiguration: errorHandler intercept interceptFrom interceptSendToEndpoint onCompletion onException precondition
  routeTemplate: beans(builderClass builderMethod constructors destroyMethod factoryBean factoryMethod initMethod name
    properties script scriptLanguage scriptPropertyPlaceholders type) from parameters(defaultValue name required) route
  templatedRoute: beans(builderClass builderMethod constructors destroyMethod factoryBean factoryMethod initMethod name
    properties script scriptLanguage scriptPropertyPlaceholders type) group parameters(name value) prefixId routeId
    routeTemplateRef
`);

export const camelLanguageOptions = parts(`
  constant: expression resultType trim
  csimple: expression pretty resultType trim trimResult
  exchangeProperty: expression trim
  header: expression trim
  jq: expression resultType source trim
  js: expression resultType trim
  jsonpath: allowEasyPredicate allowSimple expression option resultType source suppressExceptions trim unpackArray
    writeAsString
  simple: expression nested pretty resultType trim trimResult
  tokenize: endToken group groupDelimiter includeTokens inheritNamespaceTagName regex resultType skipFirst source token
    trim xml
  variable: expression trim
  xpath: documentType expression factoryRef logNamespaces namespace(key value) objectModel preCompile resultQName
    resultType saxon source threadSafety trim
`);

export const camelFormatOptions = parts(`
  base64: lineLength lineSeparator urlSafe
  csv: allowMissingColumnNames captureHeaderRecord commentMarker commentMarkerDisabled delimiter escape escapeDisabled
    format header headerDisabled ignoreEmptyLines ignoreHeaderCase ignoreSurroundingSpaces lazyLoad marshallerFactoryRef
    nullString nullStringDisabled quote quoteDisabled quoteMode recordConverterRef recordSeparator recordSeparatorDisabled
    skipHeaderRecord trailingDelimiter trim useMaps useOrderedMaps
  gzipDeflater: 
  jacksonXml: allowJmsType allowUnmarshallType collectionType contentTypeHeader disableFeatures enableFeatures
    enableJaxbAnnotationModule include jsonView maxStringLength moduleClassNames moduleRefs prettyPrint timezone
    unmarshalType useList xmlMapper
  json: allowJmsType allowUnmarshallType autoDiscoverObjectMapper autoDiscoverSchemaResolver collectionType
    combineUnicodeSurrogates contentTypeHeader dateFormatPattern disableFeatures enableFeatures include jsonView library
    maxStringLength moduleClassNames moduleRefs namingStrategy objectMapper prettyPrint schemaResolver timezone
    unmarshalType useDefaultObjectMapper useList
  mimeMultipart: binaryContent headersInline includeHeaders multipartSubType multipartWithoutAttachment
  yaml: allowAnyType allowRecursiveKeys constructor dumperOptions library maxAliasesForCollections prettyFlow representer
    resolver typeFilter unmarshalType useApplicationContextClassLoader
  zipDeflater: compressionLevel
`);
