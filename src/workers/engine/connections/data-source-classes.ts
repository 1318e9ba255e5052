/** The DataSource classes whose beans are read as connections, with their properties. */

export type DataSourceKind = "postgres" | "mysql";
/** What a property sets. `driver`: the class of a JDBC driver, which only has to suit the URL. */
export type DataSourceMeaning = "url" | "host" | "port" | "database" | "username" | "password" | "most" | "driver";

interface DataSourceClass {
  /** Absent: the URL says it. */
  readonly kind?: DataSourceKind;
  readonly properties: Readonly<Record<string, DataSourceMeaning>>;
}

const urlAndUser = { url: "url", username: "username", password: "password", driverClassName: "driver" } as const;
const server = {
  url: "url",
  URL: "url",
  serverName: "host",
  portNumber: "port",
  databaseName: "database",
  user: "username",
  password: "password",
} as const satisfies Readonly<Record<string, DataSourceMeaning>>;

const classes: ReadonlyMap<string, DataSourceClass> = new Map<string, DataSourceClass>([
  ["org.apache.commons.dbcp2.BasicDataSource", { properties: { ...urlAndUser, maxTotal: "most" } }],
  ["org.apache.commons.dbcp.BasicDataSource", { properties: { ...urlAndUser, maxActive: "most" } }],
  [
    "com.zaxxer.hikari.HikariDataSource",
    {
      properties: {
        ...{ jdbcUrl: "url", username: "username", password: "password" },
        ...{ driverClassName: "driver", maximumPoolSize: "most" },
      },
    },
  ],
  ["org.springframework.jdbc.datasource.DriverManagerDataSource", { properties: urlAndUser }],
  ["org.springframework.jdbc.datasource.SingleConnectionDataSource", { properties: urlAndUser }],
  ["org.postgresql.ds.PGSimpleDataSource", { kind: "postgres", properties: server }],
  ["org.postgresql.ds.PGPoolingDataSource", { kind: "postgres", properties: { ...server, maxConnections: "most" } }],
  ["com.mysql.cj.jdbc.MysqlDataSource", { kind: "mysql", properties: { ...server, port: "port" } }],
  ["com.mysql.cj.jdbc.MysqlConnectionPoolDataSource", { kind: "mysql", properties: { ...server, port: "port" } }],
  ["org.mariadb.jdbc.MariaDbDataSource", { kind: "mysql", properties: { ...server, port: "port" } }],
  ["org.mariadb.jdbc.MariaDbPoolDataSource", { kind: "mysql", properties: { ...server, maxPoolSize: "most" } }],
]);

export const dataSourceTypes: readonly string[] = [...classes.keys()];

export function dataSourceClass(type: string): DataSourceClass | undefined {
  return classes.get(type);
}
