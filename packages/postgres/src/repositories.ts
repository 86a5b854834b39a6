import type { Repositories } from '@gatehouse/domain';
import type { SessionRepository, SessionSecretHash } from '@gatehouse/domain/sessions';
import type { TokenId, TokenRecord, TokenRepository } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { createPostgresAccountRepository } from './accounts/account-repository.ts';
import { createPostgresAuditLog } from './audit/audit-log.ts';
import { createPostgresAuditSeals } from './audit/audit-seals.ts';
import type { Database } from './database/database.ts';
import { ofEndedTokens, onBehalf } from './database/pool/askers.ts';
import { createPostgresEditions } from './editions/editions.ts';
import { createPostgresAttemptRepository } from './identity-providers/attempt-repository.ts';
import { createPostgresBreakGlass } from './identity-providers/break-glass.ts';
import { createPostgresIdentityRepository } from './identity-providers/identity-repository.ts';
import { createPostgresInvitationRepository } from './links/invitation-repository.ts';
import { createPostgresResetLinkRepository } from './links/reset-link-repository.ts';
import { createPostgresHeldNotices } from './mail/held-notices.ts';
import { createPostgresNoticePreferences } from './mail/notice-preferences.ts';
import { createPostgresOrganizationLists } from './organizations/organization-lists.ts';
import { createPostgresOrganizationRepository } from './organizations/organization-repository.ts';
import { createPostgresReactionRepository } from './reactions/reaction-repository.ts';
import { createPostgresSecondFactorRepository } from './second-factor/second-factor-repository.ts';
import { createPostgresIntrospectionSource } from './services/introspection-source.ts';
import { createPostgresServiceRepository } from './services/service-repository.ts';
import { createPostgresSessionRepository } from './sessions/session-repository.ts';
import { createPostgresSigningKeyRepository } from './signing-keys/signing-key-repository.ts';
import { createPostgresTimeEvents } from './time-events/time-events.ts';
import { createPostgresTokenPolicies } from './token-policy/token-policies.ts';
import { createPostgresTokenNetworkRepository } from './tokens/networks/token-network-repository.ts';
import { createPostgresSuggestionSource } from './tokens/suggestion-source.ts';
import { createPostgresTokenRepository } from './tokens/token-repository.ts';
import { createPostgresUsageReports } from './usage/usage-reports.ts';
import { createPostgresServiceAccountRepository } from './users/service-accounts/service-account-repository.ts';
import { createPostgresUserRepository } from './users/user-repository.ts';
import { createPostgresWebhookRepository } from './webhooks/webhook-repository.ts';

/** Creates all repositories on this database. */
export function createPostgresRepositories(database: Database): Repositories {
  return {
    accounts: createPostgresAccountRepository(database),
    users: createPostgresUserRepository(database),
    serviceAccounts: createPostgresServiceAccountRepository(database),
    organizations: createPostgresOrganizationRepository(database),
    organizationLists: createPostgresOrganizationLists(database),
    tokens: withTurnsOfEndedTokens(createPostgresTokenRepository(database)),
    tokenNetworks: createPostgresTokenNetworkRepository(database),
    tokenPolicies: createPostgresTokenPolicies(database),
    sessions: withTurnsOfUsers(createPostgresSessionRepository(database)),
    secondFactors: createPostgresSecondFactorRepository(database),
    invitations: createPostgresInvitationRepository(database),
    resetLinks: createPostgresResetLinkRepository(database),
    noticePreferences: createPostgresNoticePreferences(database),
    heldNotices: createPostgresHeldNotices(database),
    attempts: createPostgresAttemptRepository(database),
    identities: createPostgresIdentityRepository(database),
    breakGlass: createPostgresBreakGlass(database),
    services: createPostgresServiceRepository(database),
    introspection: createPostgresIntrospectionSource(database),
    usageReports: createPostgresUsageReports(database),
    signingKeys: createPostgresSigningKeyRepository(database),
    audit: createPostgresAuditLog(database),
    auditSeals: createPostgresAuditSeals(database),
    reactions: createPostgresReactionRepository(database),
    suggestions: createPostgresSuggestionSource(database),
    timeEvents: createPostgresTimeEvents(database),
    webhooks: createPostgresWebhookRepository(database),
    editions: createPostgresEditions(database),
  };
}

/**
 * The maximum number of sessions whose users are remembered, at some hundred bytes each. If there are more, the oldest
 * is forgotten.
 */
const MAX_KNOWN_SESSIONS = 10_000;

/**
 * Once this process has found a session, it reads the session in the queue of its user. Before that, the secret may be
 * made up, and the read waits in the queue of the client's network. Therefore signed-in users do not wait behind
 * clients that send made-up secrets.
 */
export function withTurnsOfUsers(sessions: SessionRepository): SessionRepository {
  const users = new Map<SessionSecretHash, UserId>();

  function note(secretHash: SessionSecretHash, userId: UserId): void {
    users.set(secretHash, userId);
    const [oldest] = users.keys();
    if (users.size > MAX_KNOWN_SESSIONS && oldest !== undefined) users.delete(oldest);
  }

  return {
    ...sessions,
    async insert(session, ...guarded) {
      const inserted = await sessions.insert(session, ...guarded);
      if (inserted.ok) note(session.secretHash, session.userId);
      return inserted;
    },
    async find(secretHash) {
      const user = users.get(secretHash);
      const find = () => sessions.find(secretHash);
      const found = await (user === undefined ? find() : onBehalf.ofUser(user, find));
      if (found) note(secretHash, found.userId);
      else users.delete(secretHash);
      return found;
    },
  };
}

/**
 * The maximum number of ended tokens that are remembered, at some hundred bytes each. If there are more, the oldest is
 * forgotten.
 */
const MAX_ENDED_TOKENS = 10_000;

/**
 * Reads ended tokens in a separate queue. Otherwise a client with an old token could delay the requests of the user of
 * that token. All ended tokens of a user wait in one queue, so that many ended tokens delay other users no more than
 * one ended token does.
 */
export function withTurnsOfEndedTokens(tokens: TokenRepository): TokenRepository {
  /** The ids of tokens that do not exist or were revoked. Neither state can change. */
  const ended = new Set<TokenId>();

  function note(id: TokenId, record: TokenRecord | undefined): TokenRecord | undefined {
    if (record && record.revocation === null) return record;
    ended.add(id);
    const [oldest] = ended;
    if (ended.size > MAX_ENDED_TOKENS && oldest !== undefined) ended.delete(oldest);
    return record;
  }

  return {
    ...tokens,
    async findRecord(id) {
      const record = ended.has(id) ? ofEndedTokens(() => tokens.findRecord(id)) : tokens.findRecord(id);
      return note(id, await record);
    },
  };
}
