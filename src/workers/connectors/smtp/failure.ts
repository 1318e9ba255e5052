/** Failures of mail servers under the class names of Jakarta Mail, by which Camel's users know them. */
import { exceptionMessage, FlowException } from "../../engine/exception.ts";

export interface SmtpError extends Error {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** `server`: its address, for the message. */
export function connectFailure(server: string, error: unknown): FlowException {
  if (error instanceof FlowException) return error;
  const { code } = error as SmtpError;
  const type =
    code === "EAUTH"
      ? "jakarta.mail.AuthenticationFailedException"
      : "org.eclipse.angus.mail.util.MailConnectException";
  return new FlowException(type, `${server}: ${exceptionMessage(error)}`, { cause: error });
}

/** `refused`: the answers of the server for each recipient that it does not take. */
export function sendFailure(server: string, error: unknown, refused: readonly Refusal[]): FlowException {
  if (error instanceof FlowException) return error;
  const { responseCode } = error as SmtpError;
  if (refused.length > 0) {
    const list = refused.map(({ recipient, answer }) => `${recipient} (${answer})`).join(", ");
    const message = `${server} does not take the mail for ${list}; it was sent to nobody`;
    const details = { invalidAddresses: refused.map(({ recipient }) => recipient) };
    return new FlowException("jakarta.mail.SendFailedException", message, { cause: error, details });
  }
  const type = responseCode === undefined ? "jakarta.mail.MessagingException" : "jakarta.mail.SendFailedException";
  return new FlowException(type, `${server}: ${exceptionMessage(error)}`, { cause: error });
}

export interface Refusal {
  readonly recipient: string;
  readonly answer: string;
}
