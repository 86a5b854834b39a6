import { checkName } from '../text.ts';
import type { Email } from '../users/email.ts';
import { isActive } from '../users/user-repository.ts';
import { isSameMailbox, linksByEmail, providedEmail } from './email-domain.ts';
import { type Decision, type KnownUser, type PersonFacts, refuse } from './person-facts.ts';
import type { ProvenPerson } from './proven-person.ts';
import type { Provider } from './provider.ts';
import { roleFor } from './role-for.ts';

/*
 * These functions decide who a proven person is. They are pure: the repository calls them with facts that it read under
 * locks, so the decision is still true when it is carried out.
 */

/**
 * Decides who signs in. A person is exactly an issuer and a subject. An address only finds the user for the first link:
 * within the accounts and domains of the provider, if both the provider and Gatehouse know that it belongs to the person.
 */
export function whoSignsIn(provider: Provider, person: ProvenPerson, facts: PersonFacts): Decision {
  if (facts.linked) return signedInAs(provider, person, facts.linked, { isNewLink: false });
  const email = providedEmail(person.email);
  if (email === undefined) return refuse('identity_not_linked');
  const found = facts.byEmail;
  if (!linksByEmail(provider, email)) {
    if (provider.createUsersIn !== null) return newUser(provider, person, facts, email);
    return refuse(provider.linkByEmailOf.length === 0 ? 'identity_not_linked' : 'email_domain_not_listed');
  }
  if (!person.isEmailVerified) return refuse('email_not_verified', found?.user);
  if (!found) return newUser(provider, person, facts, email);
  if (!isSameMailbox(found.user.email, email)) return refuse('identity_not_linked', found.user);
  if (found.emailProvedAt === null && isServed(provider, found))
    return refuse('email_not_proved', found.user);
  return signedInAs(provider, person, found, { isNewLink: true });
}

/** Decides whether the person becomes an identity of the user in whose session the attempt began. */
export function mayLink(provider: Provider, person: ProvenPerson, { own, linked }: PersonFacts): Decision {
  if (!own) return refuse('attempt_of_other_browser');
  if (linked && linked.user.id !== own.user.id) return refuse('identity_of_other_user', own.user);
  return signedInAs(provider, person, own, { isNewLink: !linked });
}

/** Decides whether the person is the user in whose session the attempt began. */
export function mayConfirm(provider: Provider, person: ProvenPerson, { own, linked }: PersonFacts): Decision {
  if (!own) return refuse('attempt_of_other_browser');
  if (!linked) return refuse('identity_not_linked', own.user);
  if (linked.user.id !== own.user.id) return refuse('identity_of_other_user', own.user);
  return signedInAs(provider, person, own, { isNewLink: false });
}

/** Decides whether the person accepts the invitation. The code proves the invitation, so the addresses may differ. */
export function whoJoins(
  provider: Provider,
  person: ProvenPerson,
  { linked, invitation: open }: PersonFacts,
): Decision {
  if (!open) return refuse('invitation_not_accepted');
  if (linked) return refuse('identity_of_other_user', linked.user);
  const { accountId, email, name, role } = open.invitation;
  if (!provider.accounts.includes(accountId)) return refuse('account_not_served');
  const given = roleFor(provider, person);
  if (!given.ok) return refuse(given.error);
  return {
    outcome: 'new',
    accountId,
    email,
    name: name ?? nameOf(person, email),
    role: given.value ?? role,
    invitation: open.invitation,
    isEmailProved:
      open.invitation.isMailed || (person.isEmailVerified && isSameMailbox(email, person.email ?? '')),
  };
}

/** The checks that every user passes, however the user was found. */
function signedInAs(
  provider: Provider,
  person: ProvenPerson,
  known: KnownUser,
  { isNewLink }: { readonly isNewLink: boolean },
): Decision {
  const { user } = known;
  if (!isActive(known) || user.kind !== 'person') return refuse('user_not_active', user);
  if (!isServed(provider, known)) return refuse('account_not_served', user);
  if (known.isBreakGlass) return refuse('user_is_break_glass', user);
  if (isNewLink && known.hasOtherIdentity) return refuse('user_has_other_identity', user);
  const role = roleFor(provider, person);
  if (!role.ok) return refuse(role.error, user, { endsConfirmation: !isNewLink });
  return { outcome: 'known', user, isNewLink, role: role.value };
}

const isServed = ({ accounts }: Provider, { user }: KnownUser) => accounts.includes(user.accountId);

function newUser(provider: Provider, person: ProvenPerson, facts: PersonFacts, email: Email): Decision {
  const { createUsersIn: accountId } = provider;
  if (accountId === null) return refuse('identity_not_linked');
  if (!facts.newIn || !provider.accounts.includes(accountId)) return refuse('account_not_served');
  if (facts.newIn.suspendedAt !== null) return refuse('user_not_active');
  if (!person.isEmailVerified) return refuse('email_not_verified');
  if (facts.isEmailTaken)
    return refuse(linksByEmail(provider, email) ? 'identity_not_linked' : 'email_domain_not_listed');
  const role = roleFor(provider, person);
  if (!role.ok) return refuse(role.error);
  if (role.value === null) return refuse('no_role');
  const name = nameOf(person, email);
  return { outcome: 'new', accountId, email, name, role: role.value, invitation: null, isEmailProved: true };
}

/** The name that the provider names; else the part of the address before the @. */
function nameOf({ name }: ProvenPerson, email: Email): string {
  const given = name === null ? undefined : checkName('name', name.trim());
  return given?.ok ? given.value : email.slice(0, email.lastIndexOf('@')).slice(0, 200);
}
