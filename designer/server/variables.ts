/** The environment variables of the designer and what each is for, as `bulkhead designer --help` prints them. */

interface Variable {
  readonly default?: string;
  readonly words: string;
}

export const variables = {
  DESIGNER_PORT: { default: "8090", words: "The TCP port to listen on; 0 takes any free one, which is printed." },
  DESIGNER_HOST: {
    default: "127.0.0.1",
    words: "The address to listen on. Beyond this machine (0.0.0.0, ::) DESIGNER_URL and a login are needed.",
  },
  DESIGNER_URL: {
    words:
      "The address that browsers use, such as https://designer.example, when something in front of the designer (TLS, a proxy) has another one.",
  },
  DESIGNER_TRUST_PROXY: {
    words: "Addresses and ranges of proxies in front, separated by commas, whose X-Forwarded-For says who calls.",
  },
  WORKSPACE: {
    default: "./routes if that folder exists, else ./flows",
    words: "The folder of the flows, <id>.yaml each. The designer creates it if it is missing.",
  },
  RUNTIME_URL: { default: "http://127.0.0.1:8080", words: "The runtime that flows are deployed to." },
  SERVICE_DEPLOY_TOKEN: { words: "The deploy token of that runtime. Browsers never get it." },
  BULKHEAD_URL: { words: "The same as RUNTIME_URL, as the commands of bulkhead read it. RUNTIME_URL wins." },
  BULKHEAD_TOKEN: {
    words:
      "The deploy token of the runtime at BULKHEAD_URL, which never goes to another address. Without BULKHEAD_URL, the designer uses it if SERVICE_DEPLOY_TOKEN is missing.",
  },
  DESIGNER_TARGETS: { words: "A YAML file with several runtimes, in place of RUNTIME_URL." },
  DESIGNER_USERS: { words: "A YAML file of the people who may log in, with the hashes of their passwords." },
  OIDC_ISSUER: { words: "The OpenID Connect provider at which people log in, in place of DESIGNER_USERS." },
  OIDC_CLIENT_ID: { words: "The designer's id at that provider." },
  OIDC_CLIENT_SECRET: { words: "The designer's secret there; none for a public client." },
  OIDC_SCOPE: { default: "openid profile", words: "What the provider is asked for, separated by blanks." },
  OIDC_NAME_CLAIM: { default: "preferred_username", words: "The claim of the ID token with the person's name." },
  OIDC_ROLE_CLAIM: { default: "roles", words: "The claim with the person's roles or groups, a text or a list." },
  OIDC_ROLES: {
    words: "Which value of that claim gives which role: 'ops=operator, devs=editor, *=viewer'. Others may not log in.",
  },
} as const satisfies Readonly<Record<string, Variable>>;

export type VariableName = keyof typeof variables;

/** The help text: each variable with its default and its description. */
export function variablesHelp(): string {
  return Object.entries(variables as Readonly<Record<string, Variable>>)
    .map(([name, { default: usual, words }]) => `  ${name}${usual === undefined ? "" : ` (${usual})`}\n      ${words}`)
    .join("\n");
}
