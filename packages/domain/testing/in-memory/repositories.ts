import type { AccountId } from '../../src/accounts/index.ts';
import type { AuditEvent } from '../../src/audit/index.ts';
import type { Change } from '../../src/changes/index.ts';
import type { Instant } from '../../src/time/index.ts';
import type { WatchedRepositories } from '../repositories.ts';
import { createInMemoryAccountRepository } from './account-repository.ts';
import { createInMemoryAttemptRepository } from './attempt-repository.ts';
import { createInMemoryAuditLog } from './audit-log.ts';
import { createInMemoryAuditSeals } from './audit-seals.ts';
import { createInMemoryBreakGlass } from './break-glass.ts';
import { createInMemoryEditions, type InMemoryEditions } from './editions.ts';
import { frozenResults } from './frozen-results.ts';
import { createInMemoryHeldNotices } from './held-notices.ts';
import { createInMemoryIdentityRepository } from './identity-repository.ts';
import { createInMemoryIntrospectionSource } from './introspection-source.ts';
import { createInMemoryInvitationRepository } from './invitation-repository.ts';
import { createInMemoryNoticePreferences } from './notice-preferences.ts';
import { createInMemoryOrganizationLists } from './organization-lists.ts';
import { createInMemoryOrganizationRepository } from './organization-repository.ts';
import { createInMemoryReactions } from './reactions.ts';
import { createInMemoryResetLinkRepository } from './reset-link-repository.ts';
import { createInMemorySecondFactors } from './second-factors.ts';
import { createInMemoryServiceAccounts } from './service-accounts.ts';
import { createInMemoryServiceRepository } from './service-repository.ts';
import { createInMemorySessionRepository } from './session-repository.ts';
import { createInMemorySigningKeyRepository } from './signing-key-repository.ts';
import { State } from './state.ts';
import { createInMemorySuggestionSource } from './suggestion-source.ts';
import { createInMemoryTimeEvents } from './time-events.ts';
import { createInMemoryTokenNetworkRepository } from './token-networks.ts';
import { createInMemoryTokenPolicies } from './token-policies.ts';
import { createInMemoryTokenRepository } from './token-repository.ts';
import { type InMemoryUsageFeed, tellingUsage } from './usage-feed.ts';
import { createInMemoryUsageRecorder } from './usage-recorder.ts';
import { createInMemoryUsageReports } from './usage-reports.ts';
import { createInMemoryUserRepository } from './user-repository.ts';
import { createInMemoryWebhooks } from './webhooks.ts';

export interface InMemoryRepositories extends WatchedRepositories {
  /** Adds an event to the audit log, for the in-memory store of an extension. */
  readonly record: (event: AuditEvent) => void;
  readonly usageFeed: InMemoryUsageFeed;
  readonly editions: InMemoryEditions;
  readonly confirmations: {
    readonly providerAdmins: ReadonlyMap<AccountId, Instant>;
  };
  /** Returns a store with what this one has now. */
  readonly backUp: () => InMemoryRepositories;
}

/** Creates an empty store in memory with all repositories, which reports each change to `tell`. */
export function createInMemoryRepositories(
  tell: (change: Change) => void = () => undefined,
): InMemoryRepositories {
  return repositoriesOn(new State(tell));
}

function repositoriesOn(state: State): InMemoryRepositories {
  return {
    accounts: frozenResults(createInMemoryAccountRepository(state)),
    users: frozenResults(createInMemoryUserRepository(state)),
    serviceAccounts: frozenResults(createInMemoryServiceAccounts(state)),
    organizations: frozenResults(createInMemoryOrganizationRepository(state)),
    organizationLists: frozenResults(createInMemoryOrganizationLists(state)),
    tokens: frozenResults(createInMemoryTokenRepository(state)),
    tokenNetworks: frozenResults(createInMemoryTokenNetworkRepository(state)),
    tokenPolicies: frozenResults(createInMemoryTokenPolicies(state)),
    sessions: frozenResults(createInMemorySessionRepository(state)),
    secondFactors: frozenResults(createInMemorySecondFactors(state)),
    invitations: frozenResults(createInMemoryInvitationRepository(state)),
    resetLinks: frozenResults(createInMemoryResetLinkRepository(state)),
    noticePreferences: frozenResults(createInMemoryNoticePreferences(state)),
    heldNotices: frozenResults(createInMemoryHeldNotices(state)),
    attempts: frozenResults(createInMemoryAttemptRepository(state)),
    identities: frozenResults(createInMemoryIdentityRepository(state)),
    breakGlass: frozenResults(createInMemoryBreakGlass(state)),
    confirmations: {
      providerAdmins: state.providerAdmins,
    },
    services: frozenResults(createInMemoryServiceRepository(state)),
    introspection: frozenResults(createInMemoryIntrospectionSource(state)),
    signingKeys: frozenResults(createInMemorySigningKeyRepository(state)),
    ...tellingUsage(createInMemoryUsageRecorder(state), frozenResults(createInMemoryUsageReports(state))),
    audit: frozenResults(createInMemoryAuditLog(state)),
    auditSeals: frozenResults(createInMemoryAuditSeals(state)),
    reactions: frozenResults(createInMemoryReactions(state)),
    suggestions: createInMemorySuggestionSource(state),
    timeEvents: frozenResults(createInMemoryTimeEvents(state)),
    webhooks: frozenResults(createInMemoryWebhooks(state)),
    editions: createInMemoryEditions(),
    backUp: () => repositoriesOn(state.copy()),
    record: (event) => void state.events.push(event),
  };
}
