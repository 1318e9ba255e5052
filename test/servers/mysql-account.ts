/** What servers of MySQL's protocol are asked by tests without a runtime. */
import mysql from "mysql2";

const password = "a-password-for-tests";
const database = "test";

/** Makes the database and the user of the tests. */
export async function mysqlAccount(owner: mysql.ConnectionOptions) {
  const username = "test";
  await askMysql(
    owner,
    `create database ${database}; create user '${username}'@'%' identified by '${password}'; grant all on ${database}.* to '${username}'@'%'`,
  );
  return { database, username, password };
}

/** Runs statements, and resolves with the rows of the last one. */
export function askMysql(as: mysql.ConnectionOptions, sql: string): Promise<readonly (readonly unknown[])[]> {
  return new Promise((resolve, reject) => {
    const connection = mysql.createConnection({ ...as, rowsAsArray: true, multipleStatements: true });
    connection.on("error", () => {});
    connection.query(sql, (error, rows) => {
      connection.destroy();
      if (error !== null) reject(error);
      else resolve(Array.isArray(rows) ? (rows as unknown[][]) : []);
    });
  });
}
