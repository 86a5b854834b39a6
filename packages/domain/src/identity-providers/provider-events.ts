import type { Actor, AuditEvent } from '../audit/audit-event.ts';
import { eventOf } from '../audit/event-by.ts';
import { MAX_LIVE_SESSIONS, type Session } from '../sessions/session.ts';
import { sessionCreated, sessionEnded } from '../sessions/session-events.ts';
import type { Instant } from '../time/instant.ts';
import type { User } from '../users/user.ts';
import type { SettlementAudit } from './identity-repository.ts';
import type { Identity } from './proven-person.ts';
import type { ProviderId } from './provider.ts';

/** The actor of changes that no person in Gatehouse made: a refused person, a role from the rules, a log-out. */
export const providerActor = (id: ProviderId): Actor => ({
  kind: 'operator',
  name: `identity provider ${id}`,
});

interface Where {
  readonly provider: ProviderId;
  readonly identity: Identity;
  readonly session: Omit<Session, 'userId'>;
  readonly at: Instant;
  /** The client's IP address. */
  readonly origin: string;
}

/** Makes the events of one sign-in with a provider. */
export function settlementAudit({ provider, identity, session, at, origin }: Where): SettlementAudit {
  const { issuer, subject } = identity;
  const from = { provider, issuer, subject };
  const byUser = (user: User) => ({ actor: { kind: 'user', id: user.id }, origin }) as const;
  const byProvider = { actor: providerActor(provider), origin };
  const ofUser = (action: `user.${string}`, user: User, details: AuditEvent['details']) =>
    eventOf(at, action, user, { email: user.email, ...details });
  return {
    refused: (reason, about) => ({
      ...ofUser('user.link_refused', about, { ...from, reason }),
      ...byProvider,
    }),
    created(user, invitation) {
      const { email, role } = user;
      const created = eventOf(at, 'user.created', user, { email, role, provider });
      if (!invitation) return [{ ...created, ...byProvider }];
      const accepted = eventOf(at, 'invitation.accepted', invitation, { email, role });
      return [accepted, created].map((event) => ({ ...event, ...byUser(user) }));
    },
    linked: (user) => ({ ...ofUser('user.linked', user, from), ...byUser(user) }),
    roleSet: (before, role) => ({
      ...ofUser('user.role_set', before, { from: before.role, to: role, provider }),
      ...byProvider,
    }),
    demotionRefused: (user) => ({ ...ofUser('user.demotion_refused', user, { provider }), ...byProvider }),
    sessionCreated(user) {
      const created = sessionCreated({ ...session, userId: user.id }, user);
      return { ...created, details: { provider }, ...byUser(user) };
    },
    sessionEnded: (user, oldest) => ({
      ...sessionEnded(oldest.id, user, at, `the user has ${MAX_LIVE_SESSIONS} newer sessions`),
      ...byUser(user),
    }),
  };
}
