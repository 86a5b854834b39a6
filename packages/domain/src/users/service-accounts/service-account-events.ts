import { eventOf } from '../../audit/event-by.ts';
import { formatInstant, type Instant } from '../../time/instant.ts';
import type { Revocation } from '../../tokens/token.ts';
import type { User } from '../user.ts';
import type { ServiceAccount } from './service-account.ts';

/** The event of a service account that was made. Its subject is the user. */
export function serviceAccountCreated({ user, description, responsible }: ServiceAccount) {
  const { email, name, role, kind } = user;
  return eventOf(user.createdAt, 'user.created', user, {
    email,
    role,
    kind,
    name,
    ...(description !== null && { description }),
    responsible: responsible.email,
  });
}

/** The event of a service account that was changed: each value with the one before. */
export function serviceAccountUpdated(before: ServiceAccount, after: ServiceAccount, at: Instant) {
  const { name, email } = after.user;
  return eventOf(at, 'user.service_updated', after.user, {
    email,
    name,
    ...(name !== before.user.name && { former_name: before.user.name }),
    ...(after.description !== before.description && { description: after.description }),
    ...(after.responsible.id !== before.responsible.id && {
      responsible: after.responsible.email,
      former_responsible: before.responsible.email,
    }),
  });
}

/** The event of a service account that is disabled because the person who answers for it is. */
export function serviceAccountEnded(user: User, { at, reason }: Pick<Revocation, 'at' | 'reason'>) {
  return eventOf(at, 'user.disabled', user, { email: user.email, ...serviceDetails(user), reason });
}

/**
 * The details that name a service account in the event `user.disabled`. The address has the id, which another one
 * can get after a backup is restored, so the time of its creation is added.
 */
export const serviceDetails = ({ kind, name, createdAt }: User) =>
  kind === 'service' ? { kind, name, created_at: formatInstant(createdAt) } : {};
