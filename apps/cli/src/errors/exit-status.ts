/** What the shell is told; docs/cli.md explains each. */
export const EXIT = {
  done: 0,
  fault: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  conflict: 5,
  interrupted: 130,
} as const;

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];
