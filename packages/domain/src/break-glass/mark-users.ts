import { changeByOperator } from './change-by-operator.ts';

/**
 * Marks a user for emergencies: one whom no identity provider signs in, changes or demotes. The identities of the user
 * are unlinked.
 */
export const markBreakGlass = changeByOperator((breakGlass, id, at, event) =>
  breakGlass.mark(id, at, {
    marked: (user) => event('user.break_glass_marked', user),
    unlinked: (user, { issuer, subject }) =>
      event('user.unlinked', user, { issuer, subject, reason: 'the user was marked for emergencies' }),
  }),
);

/** Removes the mark. The identities stay unlinked. */
export const unmarkBreakGlass = changeByOperator((breakGlass, id, _, event) =>
  breakGlass.unmark(id, (user) => event('user.break_glass_unmarked', user)),
);

/** Notes that the operator knows the address to be the user's, so that a provider may link the user by it. */
export const proveEmail = changeByOperator((breakGlass, id, at, event) =>
  breakGlass.proveEmail(id, at, (user) => event('user.email_proved', user)),
);
