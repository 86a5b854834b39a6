import { authorized, type Principal, RENAME_SELF } from '../access/index.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import { checkName } from '../text.ts';

/** Changes the name under which others see the caller. The email, which identifies the user, does not change. */
export const renameSelf = authorized(
  RENAME_SELF,
  ({ users, clock }: Ports<'users' | 'clock'>) =>
    async (caller: Principal, input: { readonly name: string }) => {
      const name = checkName('name', input.name);
      if (!name.ok) return name;
      return users.rename(caller.userId, name.value, (before) => {
        const details = { email: before.email, name: name.value, former_name: before.name };
        return eventBy(caller, eventOf(clock.now(), 'user.renamed', before, details));
      });
    },
);
