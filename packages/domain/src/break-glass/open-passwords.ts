import { authorized, MANAGE_USERS } from '../access/index.ts';
import { err, invalid, ok } from '../result.ts';
import { addMilliseconds, formatInstant } from '../time/instant.ts';
import { findPerson } from '../users/named-user.ts';
import { MAX_OPEN_MS } from './break-glass.ts';
import { changeByOperator, eventsBy, type OperatorPorts } from './change-by-operator.ts';

export interface ArmUserInput {
  readonly email: string;
  /** For how long, in milliseconds. */
  readonly forMs: number;
}

/** Opens the password of a user on pages for up to 24 hours, although passwords are off. It ends by itself. */
export const armUser = authorized(
  MANAGE_USERS,
  ({ users, breakGlass, clock }: OperatorPorts) =>
    async (caller, { email, forMs }: ArmUserInput) => {
      if (!(forMs > 0 && forMs <= MAX_OPEN_MS)) return invalid('for', 'must be at most 24h');
      const found = await findPerson(users, caller, { email });
      if (!found.ok) return found;
      if (found.value.disabledAt !== null) return err({ code: 'user_disabled' });
      const at = clock.now();
      const until = addMilliseconds(at, forMs);
      const event = eventsBy(caller, at);
      const armed = await breakGlass.arm(found.value.id, until, at, (user) =>
        event('user.armed', user, { until: formatInstant(until) }),
      );
      return armed.ok ? ok({ user: armed.value.user, until }) : armed;
    },
);

/** Closes a password that `armUser` opened. The sessions that it opened stay. */
export const disarmUser = changeByOperator((breakGlass, id, at, event) =>
  breakGlass.arm(id, null, at, (user) => event('user.disarmed', user)),
);
