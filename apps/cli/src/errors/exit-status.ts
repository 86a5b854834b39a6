/** What the shell is told. */
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

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** What each means, as docs/cli.md says it. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: 'done; what was done already is done, and the command says so',
  fault:
    'a fault: the database cannot be reached, its schema is behind, the master key does not open the signing keys',
  usage:
    'wrong usage, which includes wrong settings and a master key that is missing or unusable; the message says what would be right',
  notFound: 'not found: no such id, or it belongs to another account',
  notAllowed: 'not allowed: `--as` names nobody who may do this',
  conflict: 'conflict: an email or a name is taken, a file exists, something is in another state',
  someFailed:
    'some of several failed, each named on standard error; or a check found something (`doctor`, `token inspect`, `token list --expiring-within`)',
  interrupted: 'interrupted: Ctrl-C, or "no" to a question',
};
