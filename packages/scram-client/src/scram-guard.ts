import type pg from 'pg';

/** The server asked for the password, or did not prove that it knows the password. The message is one line. */
export class PasswordWithheldError extends Error {
  override readonly name = 'PasswordWithheldError';

  constructor(problem: string) {
    super(
      `the server ${problem}, so the password was not sent. The server has to authenticate clients by SCRAM: set password_encryption = 'scram-sha-256', set the role's password again, and name scram-sha-256 in pg_hba.conf or in the pooler's auth_type`,
    );
  }
}

/**
 * The smallest number of SCRAM iterations that the client accepts (RFC 7677 section 4). With fewer iterations, a
 * hostile server could use the client's proof to test many passwords quickly.
 */
const MIN_ITERATIONS = 4096;

type Message = { readonly data?: unknown } | undefined;

/**
 * Filters the server's messages before pg handles them. Without this filter, pg answers any authentication request at
 * any time, and accepts a server that never proves that it knows the password.
 */
export function guardAuthentication(client: pg.Client): void {
  const { connection } = client;
  const pass = connection.emit.bind(connection);
  let over: 'refused' | 'proven' | undefined;

  function refuse(problem: string): boolean {
    over = 'refused';
    connection.stream.destroy();
    return pass('error', new PasswordWithheldError(problem));
  }

  connection.emit = (event: string | symbol, ...args: unknown[]): boolean => {
    // After a failure, pg gets only the event for the end of the connection.
    if (over === 'refused') return event === 'end' && pass(event, ...args);
    switch (event) {
      case 'error':
      case 'errorMessage':
        // pg reports an error, such as a wrong proof of the server. The pool would drop the client without closing the
        // connection, so this code closes the connection.
        if (over === undefined) {
          over = 'refused';
          connection.stream.destroy();
        }
        return pass(event, ...args);
      case 'authenticationCleartextPassword':
        return refuse('asks for the password in clear text');
      case 'authenticationMD5Password':
        return refuse('asks for the password as MD5');
      case 'authenticationSASLContinue':
        if (iterationsIn(args[0] as Message) < MIN_ITERATIONS)
          return refuse(`asks for SCRAM with fewer than ${MIN_ITERATIONS} iterations`);
        return pass(event, ...args);
      case 'authenticationSASLFinal': {
        const heard = pass(event, ...args);
        over ??= 'proven';
        return heard;
      }
      case 'readyForQuery':
        if (over === undefined && client.password)
          return refuse('accepted the connection without asking for the password');
        over = 'proven';
        return pass(event, ...args);
      default:
        return pass(event, ...args);
    }
  };
}

function iterationsIn(message: Message): number {
  const found = [...String(message?.data).matchAll(/(?:^|,)i=(\d*)/g)];
  // If the message has several counts, pg would use the last one. A message with several counts is therefore refused.
  return found.length === 1 ? Number(found[0]?.[1]) : 0;
}
