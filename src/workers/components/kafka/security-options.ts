/** How an endpoint with brokers of its own logs in, and encrypts. */
import type { Slots } from "../../engine/slots.ts";

const files =
  "files of Java's key stores are not read: name a connection with brokers: '#name', whose document has tls with ca, certRef and keyRef";
const checked = "the server's certificate and its name are always checked: leave it out";
const noKerberos = "there is no Kerberos: use SCRAM-SHA-512 or OAUTHBEARER, or a connection with a client certificate";
const noToken =
  "tokens are not fetched here: name a connection with brokers: '#name', saslMechanism OAUTHBEARER and passwordRef, whose file has the token";

export function securityOptions({ text, oneOf, refused }: Slots) {
  return {
    securityProtocol: oneOf(
      ["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"],
      "With brokers of the endpoint's own: whether the connection is encrypted (`SSL`, `SASL_SSL`), and whether it logs in.",
    ).default("PLAINTEXT"),
    saslMechanism: oneOf(
      ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER", "GSSAPI"],
      "How it logs in. `GSSAPI`, which is Camel's default, is not there.",
    ).optional(),
    saslJaasConfig: text(
      'User and password as Java has them: `org.apache.kafka.common.security.scram.ScramLoginModule required username="u" password="{{secret:NAME}}";`, with PlainLoginModule or ScramLoginModule.',
    ).optional(),
    saslAuthType: oneOf(
      ["NONE", "PLAIN", "SCRAM_SHA_256", "SCRAM_SHA_512", "SSL", "OAUTH", "AWS_MSK_IAM", "KERBEROS"],
      "In place of saslMechanism and saslJaasConfig: how `saslUsername` and `saslPassword` log in. SSL, OAUTH, AWS_MSK_IAM and KERBEROS are refused with what to write.",
    ).optional(),
    saslUsername: text("The user, with `saslAuthType`.").optional(),
    saslPassword: text("The password of the user. Write a secret: `{{secret:NAME}}`.").optional(),

    oauthClientId: refused(noToken),
    oauthClientSecret: refused(noToken),
    oauthScope: refused(noToken),
    oauthTokenEndpointUri: refused(noToken),
    sslContextParameters: refused(files),
    sslKeystoreLocation: refused(files),
    sslKeystorePassword: refused(files),
    sslKeystoreType: refused(files, "JKS"),
    sslKeyPassword: refused(files),
    sslTruststoreLocation: refused(files),
    sslTruststorePassword: refused(files),
    sslTruststoreType: refused(files, "JKS"),
    sslCipherSuites: refused("the runtime's ciphers are used: leave it out"),
    sslEnabledProtocols: refused("TLS 1.2 and 1.3 are used: leave it out", "TLSv1.2,TLSv1.3"),
    sslProtocol: refused("TLS 1.2 and 1.3 are used: leave it out", "TLSv1.3"),
    sslProvider: refused("it names a class of the JVM: leave it out"),
    sslKeymanagerAlgorithm: refused("it names a part of the JVM: leave it out", "SunX509"),
    sslTrustmanagerAlgorithm: refused("it names a part of the JVM: leave it out", "PKIX"),
    sslEndpointAlgorithm: refused(checked, "https"),
    saslKerberosServiceName: refused(noKerberos),
    kerberosBeforeReloginMinTime: refused(noKerberos, "60000"),
    kerberosConfigLocation: refused(noKerberos),
    kerberosInitCmd: refused(noKerberos, "/usr/bin/kinit"),
    kerberosPrincipalToLocalRules: refused(noKerberos, "DEFAULT"),
    kerberosRenewJitter: refused(noKerberos, "0.05"),
    kerberosRenewWindowFactor: refused(noKerberos, "0.8"),
  };
}
