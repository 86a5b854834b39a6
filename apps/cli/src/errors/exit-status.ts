/** What the shell is told. `partial`: some of several failed, or a check found something. */
export const EXIT = {
  done: 0,
  fault: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  conflict: 5,
  partial: 6,
  interrupted: 130,
} as const;

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];
