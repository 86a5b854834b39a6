import type * as accounts from '@gatehouse/domain/accounts';
import type * as audit from '@gatehouse/domain/audit';
import type * as extensions from '@gatehouse/domain/extensions';
import type * as identityProviders from '@gatehouse/domain/identity-providers';
import type * as links from '@gatehouse/domain/links';
import type * as mail from '@gatehouse/domain/mail';
import type * as organizations from '@gatehouse/domain/organizations';
import type * as secondFactor from '@gatehouse/domain/second-factor';
import type * as services from '@gatehouse/domain/services';
import type * as sessions from '@gatehouse/domain/sessions';
import type * as tokenPolicy from '@gatehouse/domain/token-policy';
import type * as tokens from '@gatehouse/domain/tokens';
import type * as users from '@gatehouse/domain/users';
import type * as webhooks from '@gatehouse/domain/webhooks';

/** The names of the use cases that pages call. */
export const PAGE_USE_CASES = [
  'acceptInvitation',
  'addMember',
  'beginEnrolment',
  'beginProviderSignIn',
  'changeOwnPassword',
  'checkToken',
  'completeProviderSignIn',
  'completeSignIn',
  'confirmEnrolment',
  'confirmPassword',
  'countTokensOverPolicy',
  'createOrganization',
  'createResetLink',
  'createServiceAccount',
  'createWebhook',
  'deleteOrganization',
  'deleteWebhook',
  'disableUser',
  'disableWebhook',
  'enableUser',
  'enableWebhook',
  'endOtherSessions',
  'endOwnSession',
  'endProviderSessions',
  'endSession',
  'endUserSessions',
  'findDisableFacts',
  'findEnrolment',
  'findInvitation',
  'findLastPasswordReset',
  'findOrganizationLosses',
  'findPendingSignIn',
  'findResetLink',
  'findSession',
  'findTokensNeedingAttention',
  'giveToken',
  'inviteUser',
  'issueToken',
  'listAccountAuditEvents',
  'listAccountTokens',
  'listAccountUsers',
  'listAdmins',
  'listInvitations',
  'listOwnIdentities',
  'listOwnOrganizations',
  'listOwnServiceAccounts',
  'listOwnSessions',
  'listProviders',
  'listScopeChoices',
  'listWebhooks',
  'mailInvitation',
  'mailResetLink',
  'newRecoveryCodes',
  'openSession',
  'removeMember',
  'removeOwnSecondFactor',
  'renameAccount',
  'renameSelf',
  'requestPasswordReset',
  'resetPassword',
  'revokeInvitation',
  'revokeToken',
  'revokeTokens',
  'rotateToken',
  'rotateWebhookSecret',
  'setNoticePreferences',
  'setRole',
  'setSecondFactorPolicy',
  'setTokenNetworks',
  'setTokenPolicy',
  'showAccount',
  'showNoticePreferences',
  'showOrganization',
  'showOwnSecondFactor',
  'showSecondFactorPolicy',
  'showServiceAccount',
  'showTokenNetworks',
  'showTokenPage',
  'showTokenPolicy',
  'showTokens',
  'showTokenUse',
  'showUser',
  'showWebhook',
  'testWebhook',
  'unlinkOwnIdentity',
  'updateOrganization',
  'updateServiceAccount',
  'updateToken',
  'updateWebhook',
  'watchTokenUse',
] as const;

/**
 * All exports of some folders of `@gatehouse/domain`. For each name in `PAGE_USE_CASES`, one of them is a function that
 * creates the use case.
 */
export type Folders = typeof accounts &
  typeof audit &
  typeof extensions &
  typeof organizations &
  typeof identityProviders &
  typeof links &
  typeof mail &
  typeof secondFactor &
  typeof services &
  typeof sessions &
  typeof tokenPolicy &
  typeof tokens &
  typeof users &
  typeof webhooks;

/**
 * The use cases that pages call. They read the database without a cache, so a page shows the current state. Only
 * services come from memory, because most pages need them, and each use of a token decides again which of their scopes
 * it has.
 */
export type PageUseCases = MadeOf<Folders, (typeof PAGE_USE_CASES)[number]>;

/**
 * The use cases that the functions in `Set` create from their ports. The type keeps each name, so that an editor can
 * jump from a call to the definition of the use case.
 */
type MadeOf<Set, Name extends keyof Set> = {
  readonly [Each in Name]: Set[Each] extends (ports: never) => infer Made ? Made : never;
};

type OutcomeOf<Name extends keyof PageUseCases> = Awaited<ReturnType<PageUseCases[Name]>>;

/** The value that a use case returns if it succeeds. */
export type Found<Name extends keyof PageUseCases> = Extract<OutcomeOf<Name>, { readonly ok: true }>['value'];

/** The errors that a use case can return. */
export type Refused<Name extends keyof PageUseCases> = Extract<
  OutcomeOf<Name>,
  { readonly ok: false }
>['error'];
