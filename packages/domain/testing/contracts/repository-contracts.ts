import type { Repositories } from '../../src/index.ts';
import type { OpenRepositories, RecordedRepositories } from '../repositories.ts';
import { accountRepositoryContract } from './account-repository-contract.ts';
import { actingTokenAdminContract } from './acting-token-admin-contract.ts';
import { attemptRepositoryContract } from './attempt-repository-contract.ts';
import { auditLogContract } from './audit-log-contract.ts';
import { auditNamesContract } from './audit-names-contract.ts';
import { auditSealsContract } from './audit-seals-contract.ts';
import { breakGlassContract } from './break-glass-contract.ts';
import { confirmationContract } from './confirmation-contract.ts';
import { editionsContract } from './editions-contract.ts';
import { heldNoticesContract } from './held-notices-contract.ts';
import { identityRepositoryContract } from './identity-repository-contract.ts';
import { introspectionSourceContract } from './introspection-source-contract.ts';
import { invitationRepositoryContract } from './invitation-repository-contract.ts';
import { mailedLinksContract } from './mailed-links-contract.ts';
import { noticePreferencesContract } from './notice-preferences-contract.ts';
import { organizationListsContract } from './organization-lists-contract.ts';
import { organizationRepositoryContract } from './organization-repository-contract.ts';
import { pendingSignInsContract } from './pending-sign-ins-contract.ts';
import { reactionRepositoryContract } from './reaction-repository-contract.ts';
import { resetLinkRepositoryContract } from './reset-link-repository-contract.ts';
import { secondFactorChangesContract } from './second-factor-changes-contract.ts';
import { secondFactorRepositoryContract } from './second-factor-repository-contract.ts';
import { serviceAccountRepositoryContract } from './service-account-repository-contract.ts';
import { serviceRepositoryContract } from './service-repository-contract.ts';
import { sessionRepositoryContract } from './session-repository-contract.ts';
import { signInBoundContract } from './sign-in-bound-contract.ts';
import { signInTokenContract } from './sign-in-token-contract.ts';
import { signingKeyRepositoryContract } from './signing-key-repository-contract.ts';
import { suggestionSourceContract } from './suggestion-source-contract.ts';
import { timeEventsContract } from './time-events-contract.ts';
import { tokenAddressSearchContract } from './token-address-search-contract.ts';
import { tokenGivingContract } from './token-giving-contract.ts';
import { tokenListContract } from './token-list-contract.ts';
import { tokenNetworksContract } from './token-networks-contract.ts';
import { tokenPoliciesContract } from './token-policies-contract.ts';
import { tokenPruningContract } from './token-pruning-contract.ts';
import { tokenReadingContract } from './token-reading-contract.ts';
import { tokenRepositoryContract } from './token-repository-contract.ts';
import { tokenRotationContract } from './token-rotation-contract.ts';
import { tokenUpdateContract } from './token-update-contract.ts';
import { tokensRevocationContract } from './tokens-revocation-contract.ts';
import { usageAddressesContract } from './usage-addresses-contract.ts';
import { usageAtServicesContract } from './usage-at-services-contract.ts';
import { usageReportsContract } from './usage-reports-contract.ts';
import { userRepositoryContract } from './user-repository-contract.ts';
import { webhookAttemptsContract } from './webhook-attempts-contract.ts';
import { webhookRepositoryContract } from './webhook-repository-contract.ts';

type OpenStore = OpenRepositories<RecordedRepositories>;
type Suite = (name: string, open: OpenStore) => void;

/** The contract suites of each repository; a repository without one does not compile. */
const SUITES: Readonly<Record<keyof Repositories, readonly [Suite, ...Suite[]]>> = {
  accounts: [accountRepositoryContract],
  users: [userRepositoryContract],
  serviceAccounts: [serviceAccountRepositoryContract],
  organizations: [organizationRepositoryContract],
  organizationLists: [organizationListsContract],
  tokens: [
    tokenRepositoryContract,
    tokenReadingContract,
    tokenAddressSearchContract,
    tokenListContract,
    tokenRotationContract,
    tokenUpdateContract,
    tokenGivingContract,
    tokenPruningContract,
    tokensRevocationContract,
    actingTokenAdminContract,
    signInTokenContract,
    signInBoundContract,
    usageAddressesContract,
    usageAtServicesContract,
  ],
  tokenNetworks: [tokenNetworksContract],
  tokenPolicies: [tokenPoliciesContract],
  sessions: [sessionRepositoryContract],
  secondFactors: [secondFactorRepositoryContract, secondFactorChangesContract, pendingSignInsContract],
  invitations: [invitationRepositoryContract],
  resetLinks: [resetLinkRepositoryContract, mailedLinksContract],
  noticePreferences: [noticePreferencesContract],
  heldNotices: [heldNoticesContract],
  attempts: [attemptRepositoryContract],
  identities: [identityRepositoryContract, confirmationContract],
  breakGlass: [breakGlassContract],
  services: [serviceRepositoryContract],
  introspection: [introspectionSourceContract],
  usageReports: [usageReportsContract],
  signingKeys: [signingKeyRepositoryContract],
  audit: [auditLogContract, auditNamesContract],
  auditSeals: [auditSealsContract],
  reactions: [reactionRepositoryContract],
  suggestions: [suggestionSourceContract],
  timeEvents: [timeEventsContract],
  webhooks: [webhookRepositoryContract, webhookAttemptsContract],
  editions: [editionsContract],
};

/** Runs the suites of all repositories of a store. */
export function repositoryContracts(name: string, open: OpenStore): void {
  for (const suite of Object.values(SUITES).flat()) suite(name, open);
}
