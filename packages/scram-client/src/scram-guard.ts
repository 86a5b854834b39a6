import type pg from 'pg';

/** The server wants the password told, or does not prove that it knows it. The message is one line. */
export class PasswordWithheldError extends Error {
  override readonly name = 'PasswordWithheldError';

  constructor(problem: string) {
    super(
      `the server ${problem}, and the password was not sent: it has to authenticate by SCRAM (set password_encryption = 'scram-sha-256', set the role's password again, and name scram-sha-256 in pg_hba.conf or the pooler's auth_type)`,
    );
  }
}

/** RFC 7677, section 4. With fewer, a hostile server could try passwords against the answer too fast. */
const LEAST_ITERATIONS = 4096;

type Message = { readonly data?: unknown } | undefined;

/**
 * Stands between what the server says and pg, which answers whatever it is asked at any time and does not mind if
 * the server never proves itself.
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
    // Nothing counts any more but that the connection ends.
    if (over === 'refused') return event === 'end' && pass(event, ...args);
    switch (event) {
      case 'error':
      case 'errorMessage':
        // An answer that pg finds wrong, such as the proof, is none. The pool forgets the client and ends nothing.
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
        if (iterationsIn(args[0] as Message) < LEAST_ITERATIONS)
          return refuse(`asks for SCRAM with fewer than ${LEAST_ITERATIONS} iterations`);
        return pass(event, ...args);
      case 'authenticationSASLFinal': {
        const heard = pass(event, ...args);
        over ??= 'proven';
        return heard;
      }
      case 'readyForQuery':
        if (over === undefined && client.password) return refuse('let us in without asking for the password');
        over = 'proven';
        return pass(event, ...args);
      default:
        return pass(event, ...args);
    }
  };
}

function iterationsIn(message: Message): number {
  const found = [...String(message?.data).matchAll(/(?:^|,)i=(\d*)/g)];
  // Of several, pg would take the last.
  return found.length === 1 ? Number(found[0]?.[1]) : 0;
}
