/** The exit statuses of commands. */
export const EXIT = {
  done: 0,
  fault: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  conflict: 5,
  someFailed: 6,
  interrupted: 130,
} as const;

/** The name of an exit status. */
export type Exit = keyof typeof EXIT;

export type ExitStatus = (typeof EXIT)[Exit];

/** The meaning of each status, for docs/administer/cli.md. */
export const EXIT_MEANINGS: Readonly<Record<Exit, string>> = {
  done: 'success, including when there was nothing to do',
  fault:
    'a fault: the database cannot be reached, its schema is out of date, or the master key does not decrypt the signing keys',
  usage:
    'wrong usage, including wrong settings and a master key that is missing or unusable; the message says what is expected',
  notFound: 'not found, or in another account',
  notAllowed: 'not allowed: `--as` names a user who may not do this',
  conflict: 'conflict: an email or a name is in use, a file exists, a key or token is in the wrong state',
  someFailed:
    'some of several failed, as listed on standard error; or a check found something (`doctor`, `provider test`, `token inspect`, `token list --expiring-within`)',
  interrupted: 'interrupted: Ctrl-C, or "no" at a prompt',
};
