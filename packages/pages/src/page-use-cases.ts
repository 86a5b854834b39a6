import type * as audit from '@gatehouse/domain/audit';
import type * as sessions from '@gatehouse/domain/sessions';
import type * as tokens from '@gatehouse/domain/tokens';
import type * as users from '@gatehouse/domain/users';

/** The names of the use cases that pages call. */
export const PAGE_USE_CASES = [
  'changeOwnPassword',
  'confirmPassword',
  'endOtherSessions',
  'endOwnSession',
  'endSession',
  'findSession',
  'findTokensNeedingAttention',
  'issueToken',
  'listAccountAuditEvents',
  'listAccountTokens',
  'listAdmins',
  'listOwnSessions',
  'openSession',
  'revokeToken',
  'rotateToken',
  'showTokenPage',
  'showTokenUse',
  'updateToken',
  'watchTokenUse',
] as const;

/** The exports of the domain's folders that have these use cases. */
export type Folders = typeof audit & typeof sessions & typeof tokens & typeof users;

/** The use cases that pages call. They read the database without caches, so a page shows the current state. */
export type PageUseCases = {
  readonly [Name in (typeof PAGE_USE_CASES)[number]]: ReturnType<Folders[Name]>;
};

/** The value that a use case returns if it is not refused. */
export type Found<Name extends keyof PageUseCases> = Extract<
  Awaited<ReturnType<PageUseCases[Name]>>,
  { readonly ok: true }
>['value'];
