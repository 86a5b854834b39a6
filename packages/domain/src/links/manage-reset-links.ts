import { authorized, MAKE_RESET_LINKS, type Operator, type Principal } from '../access/index.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import { ok } from '../result.ts';
import { addMilliseconds } from '../time/instant.ts';
import { findPerson, type NamedUser } from '../users/named-user.ts';
import type { User } from '../users/user.ts';
import type { LinkCode } from './link-code.ts';
import { makerOf } from './link-makers.ts';
import { type LinkDelivery, MAILED } from './mailed-link.ts';
import { RESET_LINK_MS, type ResetLink, type ResetLinkId } from './reset-link.ts';

/** A new link with its code, which is shown once and never stored. */
export interface MadeResetLink {
  readonly user: User;
  readonly link: ResetLink;
  readonly code: LinkCode;
}

type LinkPorts = Ports<'users' | 'resetLinks' | 'linkCodes' | 'clock'>;

/** Stores a link with a new code. */
const makeLink =
  ({ users, resetLinks, linkCodes, clock }: LinkPorts, delivery: LinkDelivery) =>
  async (caller: Principal | Operator, named: NamedUser) => {
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
      isMailed: delivery === 'mail',
      isRequested: false,
    };
    const event = eventOf(createdAt, 'user.reset_link_created', found, {
      email: found.email,
      ...(delivery === 'mail' && MAILED),
    });
    const inserted = await resetLinks.insert(
      { ...link, codeHash: linkCodes.hashOf(code) },
      eventBy(caller, event),
    );
    return inserted.ok ? ok<MadeResetLink>({ user: inserted.value, link, code }) : inserted;
  };

/**
 * Makes a link with which a user sets a new password. The caller hands it over. An admin makes links for members of the
 * account who were never admins. A user of another account counts as absent, and so does a service account.
 */
export const createResetLink = authorized(MAKE_RESET_LINKS, (ports: LinkPorts) => makeLink(ports, 'show'));

/** Makes a link as `createResetLink` does. The link is mailed, and the caller never gets its code. */
export const mailResetLink = authorized(MAKE_RESET_LINKS, (ports: LinkPorts) => {
  const made = makeLink(ports, 'mail');
  return async (caller, named: NamedUser) => {
    const link = await made(caller, named);
    return link.ok ? ok({ user: link.value.user }) : link;
  };
});
