import { buffer } from 'node:stream/consumers';
import { checkPassword, type Email, PASSWORD_MIN_LENGTH } from '@gatehouse/domain/users';
import { secretText, withoutLineEnd } from '@gatehouse/key-encryption/secret-text';
import type { Cli } from '../cli.ts';
import { usageError } from '../errors/command-error.ts';
import { askForSecret, canAsk } from './prompt.ts';

export const PASSWORD_STDIN = {
  description: 'Read the password from standard input; a line end (LF, CRLF or CR) after it is ignored',
} as const;

/**
 * Reads a password for the user with this address. A password is never an argument, because other users of the machine can
 * see arguments. At a terminal, the user types it twice, and again if the policy rejects it or the two differ.
 */
export async function newPassword(cli: Cli, email: Email, passwordStdin: true | undefined): Promise<string> {
  if (passwordStdin) return readPassword(cli);
  if (!canAsk(cli.streams)) {
    throw usageError('There is no terminal to ask for the password: use --password-stdin.');
  }
  const first = await askForSecret(cli, `Password (at least ${PASSWORD_MIN_LENGTH} characters):`, (typed) => {
    const checked = checkPassword(typed, email);
    return checked.ok ? undefined : checked.error.problems.map(({ message }) => message).join('; ');
  });
  await askForSecret(cli, 'Repeat the password:', (typed) =>
    typed === first ? undefined : 'The passwords differ; try again, or press Ctrl-C to cancel',
  );
  return first;
}

/** Reads the password from standard input, without the line end after it. */
async function readPassword({ streams: { stdin } }: Cli): Promise<string> {
  const bytes = await buffer(stdin);
  try {
    return withoutLineEnd(secretText(bytes));
  } catch (error) {
    if (error instanceof TypeError) {
      throw usageError(
        'The password on standard input is neither valid UTF-8 nor UTF-16 with a byte order mark.',
      );
    }
    throw error;
  }
}
