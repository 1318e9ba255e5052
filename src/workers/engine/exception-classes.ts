/** The Java exception classes that flows name, with their superclasses, for `onException` and `doCatch`. */

const tree = `
java.lang.Throwable
  java.lang.Error
  java.lang.Exception
    java.lang.CloneNotSupportedException
    java.lang.InterruptedException
    java.lang.ReflectiveOperationException
      java.lang.ClassNotFoundException
      java.lang.NoSuchMethodException
    java.security.GeneralSecurityException
    java.sql.SQLException
      java.sql.SQLDataException
      java.sql.SQLTimeoutException
    java.text.ParseException
    java.util.concurrent.ExecutionException
    java.util.concurrent.TimeoutException
      org.apache.camel.CamelExecutionTimeoutException
    java.net.URISyntaxException
    jakarta.mail.MessagingException
      jakarta.mail.AuthenticationFailedException
      jakarta.mail.SendFailedException
      jakarta.mail.internet.ParseException
        jakarta.mail.internet.AddressException
      org.eclipse.angus.mail.util.MailConnectException
    javax.xml.xpath.XPathException
      javax.xml.xpath.XPathExpressionException
    org.eclipse.paho.client.mqttv3.MqttException
      org.eclipse.paho.client.mqttv3.MqttPersistenceException
      org.eclipse.paho.client.mqttv3.MqttSecurityException
    org.eclipse.paho.mqttv5.common.MqttException
      org.eclipse.paho.mqttv5.common.MqttPersistenceException
      org.eclipse.paho.mqttv5.common.MqttSecurityException
    org.xml.sax.SAXException
      org.xml.sax.SAXParseException
    java.io.IOException
      java.io.EOFException
      java.io.FileNotFoundException
      java.io.UnsupportedEncodingException
      java.io.InterruptedIOException
        java.net.SocketTimeoutException
          org.apache.hc.client5.http.ConnectTimeoutException
        org.apache.hc.core5.http.ConnectionRequestTimeoutException
      java.net.MalformedURLException
      java.net.ProtocolException
      java.net.UnknownHostException
      java.net.UnknownServiceException
      java.net.SocketException
        java.net.BindException
        java.net.ConnectException
          org.apache.hc.client5.http.HttpHostConnectException
        java.net.NoRouteToHostException
      java.nio.charset.CharacterCodingException
      java.util.zip.ZipException
      org.apache.commons.csv.CSVException
      java.nio.file.FileSystemException
        java.nio.file.AccessDeniedException
        java.nio.file.NoSuchFileException
      javax.net.ssl.SSLException
        javax.net.ssl.SSLHandshakeException
      org.apache.hc.core5.http.NoHttpResponseException
      com.fasterxml.jackson.core.JacksonException
        com.fasterxml.jackson.core.JsonProcessingException
          com.fasterxml.jackson.core.JsonParseException
          com.fasterxml.jackson.databind.JsonMappingException
            com.fasterxml.jackson.databind.exc.MismatchedInputException
          com.fasterxml.jackson.core.exc.StreamConstraintsException
    jakarta.jms.JMSException
      jakarta.jms.InvalidDestinationException
      jakarta.jms.InvalidSelectorException
      jakarta.jms.JMSSecurityException
      jakarta.jms.MessageFormatException
      jakarta.jms.ResourceAllocationException
      jakarta.jms.TransactionRolledBackException
    org.apache.camel.CamelException
      org.apache.camel.CamelExchangeException
        org.apache.camel.CamelAuthorizationException
        org.apache.camel.processor.aggregate.ClosedCorrelationKeyException
        org.apache.camel.ExchangeTimedOutException
        org.apache.camel.InvalidPayloadException
        org.apache.camel.NoSuchHeaderException
        org.apache.camel.NoSuchPropertyException
        org.apache.camel.NoSuchVariableException
        org.apache.camel.RollbackExchangeException
        org.apache.camel.ValidationException
          org.apache.camel.support.processor.PredicateValidationException
          org.apache.camel.component.jsonvalidator.JsonValidationException
          org.apache.camel.component.jsonvalidator.NoJsonBodyValidationException
          org.apache.camel.component.jsonvalidator.NoJsonHeaderValidationException
        org.apache.camel.component.direct.DirectConsumerNotAvailableException
        org.apache.camel.component.seda.SedaConsumerNotAvailableException
      org.apache.camel.InvalidTypeException
      org.apache.camel.NoTypeConversionAvailableException
      org.apache.camel.http.base.HttpOperationFailedException
    java.lang.RuntimeException
      java.lang.ArithmeticException
      java.lang.ArrayStoreException
      java.lang.ClassCastException
      java.lang.IllegalArgumentException
        java.lang.NumberFormatException
        java.nio.charset.UnsupportedCharsetException
        java.util.IllegalFormatException
        java.util.regex.PatternSyntaxException
        org.apache.camel.NoSuchEndpointException
      java.lang.IllegalStateException
        java.util.concurrent.CancellationException
      java.lang.IndexOutOfBoundsException
        java.lang.ArrayIndexOutOfBoundsException
        java.lang.StringIndexOutOfBoundsException
      java.lang.NegativeArraySizeException
      java.lang.NullPointerException
      java.lang.SecurityException
        EgressDeniedException
      java.lang.UnsupportedOperationException
      java.io.UncheckedIOException
      java.time.DateTimeException
        java.time.format.DateTimeParseException
      java.util.ConcurrentModificationException
      java.util.EmptyStackException
      java.util.NoSuchElementException
        java.util.InputMismatchException
      java.util.concurrent.RejectedExecutionException
        org.apache.camel.processor.ThrottlerRejectedExecutionException
      org.springframework.dao.DataAccessException
        org.springframework.dao.NonTransientDataAccessException
          org.springframework.dao.DataIntegrityViolationException
            org.springframework.dao.DuplicateKeyException
          org.springframework.dao.InvalidDataAccessResourceUsageException
            org.springframework.jdbc.BadSqlGrammarException
          org.springframework.dao.NonTransientDataAccessResourceException
            org.springframework.dao.DataAccessResourceFailureException
              org.springframework.jdbc.CannotGetJdbcConnectionException
          org.springframework.dao.PermissionDeniedDataAccessException
          org.springframework.dao.UncategorizedDataAccessException
            org.springframework.jdbc.UncategorizedSQLException
        org.springframework.dao.TransientDataAccessException
          org.springframework.dao.QueryTimeoutException
          org.springframework.dao.ConcurrencyFailureException
            org.springframework.dao.PessimisticLockingFailureException
              org.springframework.dao.CannotAcquireLockException
      org.springframework.jms.JmsException
        org.springframework.jms.InvalidDestinationException
        org.springframework.jms.InvalidSelectorException
        org.springframework.jms.JmsSecurityException
        org.springframework.jms.MessageFormatException
        org.springframework.jms.ResourceAllocationException
        org.springframework.jms.TransactionRolledBackException
        org.springframework.jms.UncategorizedJmsException
      org.springframework.transaction.TransactionException
        org.springframework.transaction.UnexpectedRollbackException
      com.jayway.jsonpath.JsonPathException
        com.jayway.jsonpath.InvalidPathException
          com.jayway.jsonpath.PathNotFoundException
      com.github.mustachejava.MustacheException
      io.github.resilience4j.circuitbreaker.CallNotPermittedException
      io.github.resilience4j.bulkhead.BulkheadFullException
      net.thisptr.jackson.jq.exception.JsonQueryException
      org.yaml.snakeyaml.error.YAMLException
        org.yaml.snakeyaml.error.MarkedYAMLException
          org.yaml.snakeyaml.composer.ComposerException
          org.yaml.snakeyaml.constructor.ConstructorException
          org.yaml.snakeyaml.scanner.ScannerException
      org.apache.camel.RuntimeCamelException
        org.apache.camel.CamelExecutionException
        org.apache.camel.ExpressionEvaluationException
          org.apache.camel.ExpressionIllegalSyntaxException
          org.apache.camel.language.bean.RuntimeBeanExpressionException
        org.apache.camel.FailedToCreateProducerException
        org.apache.camel.NoSuchLanguageException
        org.apache.camel.component.file.GenericFileOperationFailedException
        org.apache.camel.ResolveEndpointFailedException
        org.apache.camel.RuntimeExchangeException
        org.apache.camel.TypeConversionException
      LimitExceededException
      RunCancelledException
      ScriptException
`;

/** The superclass of each class, by full names. */
const parents = new Map<string, string>();
/** Full names by simple names; the runtime's own classes have only one name. */
const fullNames = new Map<string, string>();

{
  const path: string[] = [];
  for (const line of tree.split("\n")) {
    const name = line.trim();
    if (name === "") continue;
    const depth = (line.length - line.trimStart().length) / 2;
    const parent = path[depth - 1];
    if (parent !== undefined) parents.set(name, parent);
    path[depth] = name;
    const simple = name.slice(name.lastIndexOf(".") + 1);
    if (!fullNames.has(simple)) fullNames.set(simple, name);
  }
}
// The packages of Camel 2 and 3.
for (const old of ["org.apache.camel.http.common", "org.apache.camel.component.http"]) {
  fullNames.set(`${old}.HttpOperationFailedException`, "org.apache.camel.http.base.HttpOperationFailedException");
}
fullNames.set(
  "org.apache.camel.PredicateValidationException",
  "org.apache.camel.support.processor.PredicateValidationException",
);
fullNames.set("java.lang.Throwable", "java.lang.Throwable");

/** Returns the full name of a class, given with or without its package. */
export function fullClassName(name: string): string {
  return fullNames.get(name) ?? name;
}

export function isKnownClass(name: string): boolean {
  const full = fullClassName(name);
  return full === "java.lang.Throwable" || parents.has(full);
}

/** Returns a class and its superclasses, the class first. An unknown class is a subclass of RuntimeException. */
export function lineage(name: string): readonly string[] {
  const known = isKnownClass(name);
  const classes = known ? [] : [name];
  for (let at: string | undefined = known ? fullClassName(name) : "java.lang.RuntimeException"; at !== undefined; ) {
    classes.push(at);
    at = parents.get(at);
  }
  return classes;
}

/** Returns how many classes `wanted` is above `type`, 0 for the same class; undefined if it is not a superclass. */
export function distance(type: string, wanted: string): number | undefined {
  const at = lineage(type).indexOf(fullClassName(wanted));
  return at < 0 ? undefined : at;
}
