/** Names of Apache Camel 4.22 (catalogue 4.22.1). They distinguish what this runtime lacks from unknown names. */

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Steps (EIPs) of the YAML DSL. */
export const camelSteps = words(`
  a2aSubTask aggregate bean choice circuitBreaker claimCheck convertBodyTo convertHeaderTo convertVariableTo delay doTry
  dynamicRouter enrich filter idempotentConsumer kamelet loadBalance log loop marshal multicast pausable pipeline policy poll
  pollEnrich process recipientList removeHeader removeHeaders removeProperties removeProperty removeVariable resequence
  resumable rollback routingSlip saga sample script setBody setExchangePattern setHeader setHeaders setProperty setVariable
  setVariables sort split step stop threads throttle throwException to toD tokenizer transacted transform transformDataType
  unmarshal validate wireTap`);

/** Keys that look like steps but belong inside one. */
export const camelStepParts: ReadonlyMap<string, string> = new Map([
  ["when", "choice"],
  ["otherwise", "choice"],
  ["doCatch", "doTry"],
  ["doFinally", "doTry"],
  ["onFallback", "circuitBreaker"],
]);

export const camelTopLevel = words(`
  beans dataFormats errorHandler from intercept interceptFrom interceptSendToEndpoint onCompletion onException rest
  restConfiguration route routeConfiguration routeTemplate sslContextParameters templatedRoute transformers validators`);

export const camelLanguages = words(`
  constant csimple datasonnet exchangeProperty groovy header hl7terser jactl java joor jq js jsonpath language method mvel ognl
  python ref simple spel tokenize variable wasm xpath xquery xtokenize`);

/** Languages that will not be supported, with alternatives. */
export const refusedLanguages: ReadonlyMap<string, string> = new Map([
  ...["groovy", "java", "joor", "jactl", "mvel", "ognl", "spel"].map(
    (name) => [name, "runs on the JVM: write the expression in js, or in simple"] as const,
  ),
  ["python", "runs in an interpreter of its own: write the expression in js"],
  ["datasonnet", "runs on the JVM: write the mapping in jsonata"],
  ["method", "calls Java beans: call a route with 'to: {uri: direct:...}', or write the expression in js"],
  ["ref", "names a Java bean: write the expression where it is used"],
  ["wasm", "calls functions of a module that flows cannot bring: write the expression in js"],
  ["hl7terser", "reads Java objects of HL7 messages: take the message apart in js"],
  ["xquery", "needs an XQuery processor: use xpath, or js"],
  ["xtokenize", "is xpath over a stream: use tokenize with 'xml: true', or xpath"],
]);

export const camelFormats = words(`
  asn1 avro barcode base64 beanio bindy cbor crypto csv custom dfdl fhirJson fhirXml flatpack fory grok groovyJson groovyXml
  gzipDeflater hl7 ical iso8583 jacksonXml jaxb json jsonApi lzf mimeMultipart ocsf parquetAvro pgp pqc protobuf rss smooks soap
  swiftMt swiftMx syslog tarFile thrift univocityCsv univocityFixed univocityTsv xmlSecurity yaml zipDeflater zipFile`);

/** Names of old Camel versions for other JSON libraries, which write different texts. */
export const refusedFormats: ReadonlyMap<string, string> = new Map(
  ["gson", "fastjson", "jsonb"].map(
    (name) => [name, "writes JSON otherwise than Jackson does: write 'json: {}'"] as const,
  ),
);

/** Names of old Camel versions for the same format. */
export const legacyFormats: ReadonlyMap<string, string> = new Map([
  ["jackson", "json"],
  ["jacksonxml", "jacksonXml"],
  ["snakeyaml", "yaml"],
  ["snakeYaml", "yaml"],
  ["gzip", "gzipDeflater"],
  ["gzipDeflate", "gzipDeflater"],
  ["zip", "zipDeflater"],
  ["zipDeflate", "zipDeflater"],
  ["zipfile", "zipFile"],
]);

/** Attributes of `route` that this runtime ignores. */
export const camelRouteAttributes = words(`
  delayer errorHandler errorHandlerRef group inputType kameletId logMask messageHistory outputType routeConfigurationId
  routePolicy routePolicyRef shutdownRoute shutdownRunningTask startupOrder streamCache streamCaching trace`);

/** Component schemes, with aliases of the same component. */
export const camelComponents = words(`
  a2a activemq activemq6 amqp arangodb as2 asterisk atmosphere-websocket atom avro aws-bedrock aws-bedrock-agent
  aws-bedrock-agent-runtime aws-cloudtrail aws-config aws-secrets-manager aws2-athena aws2-cw aws2-ddb aws2-ddbstream aws2-ec2
  aws2-ecs aws2-eks aws2-eventbridge aws2-iam aws2-kinesis aws2-kinesis-firehose aws2-kms aws2-lambda aws2-mq aws2-msk
  aws2-polly aws2-redshift-data aws2-rekognition aws2-s3 aws2-s3-vectors aws2-ses aws2-sns aws2-sqs aws2-step-functions
  aws2-sts aws2-textract aws2-timestream aws2-transcribe aws2-translate azure-cosmosdb azure-eventgrid azure-eventhubs
  azure-files azure-functions azure-key-vault azure-servicebus azure-storage-blob azure-storage-datalake azure-storage-queue
  bean bean-validator bonita box braintree browse caffeine-cache caffeine-loadcache chatscript chunk class clickup cm-sms coap
  coaps coap+tcp coaps+tcp cometd cometds consul controlbus couchbase couchdb cql cron crypto crypto-pgp cxf cxfrs cyberark-vault
  dapr dataformat dataset dataset-test datasonnet debezium-db2 debezium-mongodb debezium-mysql debezium-oracle
  debezium-postgres debezium-sqlserver dfdl dhis2 digitalocean direct disruptor disruptor-vm djl dns docker docling drill dropbox
  dynamic-router dynamic-router-control ehcache elasticsearch elasticsearch-rest-client event exec fhir file file-watch flatpack
  flink flowable fop freemarker ftp ftps geocoder git github github2 google-bigquery google-bigquery-sql google-calendar
  google-calendar-stream google-drive google-firestore google-functions google-mail google-mail-stream google-pubsub
  google-secret-manager google-sheets google-sheets-stream google-speech-to-text google-storage google-text-to-speech
  google-vertexai google-vision grape graphql grpc guava-eventbus hashicorp-vault hazelcast-atomicvalue hazelcast-instance
  hazelcast-list hazelcast-map hazelcast-multimap hazelcast-queue hazelcast-replicatedmap hazelcast-ringbuffer hazelcast-seda
  hazelcast-set hazelcast-topic hdfs http https huggingface hwcloud-dms hwcloud-frs hwcloud-functiongraph hwcloud-iam
  hwcloud-imagerecognition hwcloud-obs hwcloud-smn iam ibm-cos ibm-secrets-manager ibm-watson-discovery ibm-watson-language
  ibm-watson-speech-to-text ibm-watson-text-to-speech ibm-watsonx-ai ibm-watsonx-data iec60870-client iec60870-server iggy
  ignite-cache ignite-compute ignite-events ignite-idgen ignite-messaging ignite-queue ignite-set imap imaps infinispan
  infinispan-embedded influxdb influxdb2 irc iso8583 jandex jcache jcr jdbc jetty jgroups jgroups-raft jira jms jmx jolt jooq jpa
  jslt json-patch json-schema json-validator jsonata jsonpatch jt400 kafka kamelet keycloak knative kserve kubernetes-config-maps
  kubernetes-cronjob kubernetes-custom-resources kubernetes-deployments kubernetes-events kubernetes-hpa kubernetes-job
  kubernetes-namespaces kubernetes-nodes kubernetes-persistent-volumes kubernetes-persistent-volumes-claims kubernetes-pods
  kubernetes-replication-controllers kubernetes-resources-quota kubernetes-secrets kubernetes-service-accounts
  kubernetes-services kudu langchain4j-agent langchain4j-chat langchain4j-embeddings langchain4j-embeddingstore
  langchain4j-tools langchain4j-web-search language ldap ldif llama-stack log lpr lucene lumberjack mapstruct master mcp mdc metrics micrometer
  milo-browse milo-client milo-server milvus mina minio mllp mock mongodb mongodb-gridfs mustache mvel mybatis mybatis-bean nagios
  nats neo4j netty netty-http nitrite oaipmh observability ognl olingo2 olingo4 once openai opensearch openshift-build-configs
  openshift-builds openshift-deploymentconfigs openstack-cinder openstack-glance openstack-keystone openstack-neutron
  openstack-nova openstack-swift opentelemetry optaplanner paho paho-mqtt5 parquetavro pdf pg-replication-slot pgevent pgvector pinecone
  platform-http plc4x pop3 pop3s pqc properties pubnub pulsar qdrant quartz quickfix rabbitmq reactive-streams ref
  resilience4j rest rest-api rest-openapi robotframework rocketmq rss saga salesforce sap-netweaver scheduler schematron
  scp seda service servicenow servlet sftp sjms sjms2 slack smb smooks smpp smpps smtp smtps snmp solr splunk splunk-hec
  spring-ai-chat spring-ai-embeddings spring-ai-image spring-ai-tools spring-ai-vector-store spring-batch spring-event
  spring-jdbc spring-ldap spring-rabbitmq spring-redis spring-ws sql sql-stored ssh stax stitch stomp stream string-template
  stripe stub swift-mx tahu-edge tahu-host telegram tensorflow-serving thrift thymeleaf tika timer torchserve twilio
  twitter-directmessage twitter-search twitter-timeline undertow validator vault velocity vertx vertx-http vertx-websocket
  vm wasm weather weaviate web3j webhook whatsapp wordpress workday xchange xj xmlsecurity-sign xmlsecurity-verify xmpp xquery
  xslt xslt-saxon yaml-io zeebe zendesk zookeeper zookeeper-master`);

/** Among a route's own steps these are not steps: they are for this route. */
export const routeWideNames: ReadonlySet<string> = new Set(["onCompletion", "onException", "intercept"]);
