/** Reads user and password out of a JAAS text, as Kafka's Java client has it: `module required name="value" ...;`. */

interface JaasLogin {
  readonly username: string;
  readonly password: string;
}

const modules: ReadonlySet<string> = new Set([
  "org.apache.kafka.common.security.plain.PlainLoginModule",
  "org.apache.kafka.common.security.scram.ScramLoginModule",
]);

/** What to write in place of other modules. */
const others: Readonly<Record<string, string>> = {
  "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule":
    "name a connection with brokers: '#name', saslMechanism OAUTHBEARER and passwordRef, whose file has the token",
  "com.sun.security.auth.module.Krb5LoginModule": "there is no Kerberos: use SCRAM-SHA-512",
  "software.amazon.msk.auth.iam.IAMLoginModule": "there is no login by AWS's IAM: use SCRAM-SHA-512",
};

const form =
  'saslJaasConfig is expected as `org.apache.kafka.common.security.plain.PlainLoginModule required username="user" password="{{secret:NAME}}";`';

/** Throws an Error with what to write. The text is not part of it, since it has the password. */
export function readJaas(text: string): JaasLogin {
  const [, module = "", control = "", rest = ""] = /^\s*([\w.$]+)\s+(\w+)\s*([\s\S]*?);?\s*$/.exec(text) ?? [];
  if (module === "") throw new Error(form);
  if (!modules.has(module)) {
    const instead = others[module] ?? "write PlainLoginModule or ScramLoginModule";
    throw new Error(`the login module '${module}' of saslJaasConfig is not there: ${instead}`);
  }
  if (control !== "required") throw new Error(`saslJaasConfig says '${control}' after the module: write required`);
  const values = new Map<string, string>();
  const entry = /\s*([\w.]+)\s*=\s*(?:"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'|([^\s"';]+))/y;
  let at = 0;
  for (let found = entry.exec(rest); found !== null; found = entry.exec(rest)) {
    at = entry.lastIndex;
    const [, name = "", double, single, bare] = found;
    values.set(name, (double ?? single)?.replaceAll(/\\([\s\S])/g, "$1") ?? bare ?? "");
  }
  if (rest.slice(at).trim() !== "") throw new Error(form);
  const unknown = [...values.keys()].find((name) => name !== "username" && name !== "password");
  if (unknown !== undefined) throw new Error(`'${unknown}' of saslJaasConfig has no effect here: leave it out`);
  const username = values.get("username");
  const password = values.get("password");
  if (username === undefined || password === undefined) throw new Error(`${form}: username or password is missing`);
  return { username, password };
}
