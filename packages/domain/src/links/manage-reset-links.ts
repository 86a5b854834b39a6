import { authorized, MAKE_RESET_LINKS } from '../access/index.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import { ok } from '../result.ts';
import { addMilliseconds } from '../time/instant.ts';
import { findPerson, type NamedUser } from '../users/named-user.ts';
import type { User } from '../users/user.ts';
import type { LinkCode } from './link-code.ts';
import { makerOf } from './link-makers.ts';
import { RESET_LINK_MS, type ResetLink, type ResetLinkId } from './reset-link.ts';

/** A new link with its code, which is shown once and never stored. */
export interface MadeResetLink {
  readonly user: User;
  readonly link: ResetLink;
  readonly code: LinkCode;
}

/**
 * Makes a link with which a user sets a new password. An admin makes links for members of the account who were never
 * admins. A user of another account counts as absent, and so does a service account.
 */
export const createResetLink = authorized(
  MAKE_RESET_LINKS,
  ({ users, resetLinks, linkCodes, clock }: Ports<'users' | 'resetLinks' | 'linkCodes' | 'clock'>) =>
    async (caller, named: NamedUser) => {
      const user = await findPerson(users, caller, named);
      if (!user.ok) return user;
      const found = user.value;
      const createdAt = clock.now();
      const { id: text, code } = linkCodes.create('reset');
      const link: ResetLink = {
        id: text as ResetLinkId,
        userId: found.id,
        createdAt,
        expiresAt: addMilliseconds(createdAt, RESET_LINK_MS),
        madeBy: makerOf(caller),
      };
      const event = eventOf(createdAt, 'user.reset_link_created', found, { email: found.email });
      const inserted = await resetLinks.insert(
        { ...link, codeHash: linkCodes.hashOf(code) },
        eventBy(caller, event),
      );
      return inserted.ok ? ok<MadeResetLink>({ user: inserted.value, link, code }) : inserted;
    },
);
