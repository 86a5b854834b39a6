import type * as audit from '@gatehouse/domain/audit';
import type * as sessions from '@gatehouse/domain/sessions';
import type * as tokens from '@gatehouse/domain/tokens';
import type * as users from '@gatehouse/domain/users';

type Folders = typeof audit & typeof sessions & typeof tokens & typeof users;

type Name =
  | 'changeOwnPassword'
  | 'confirmPassword'
  | 'endOtherSessions'
  | 'endOwnSession'
  | 'endSession'
  | 'findSession'
  | 'findTokensNeedingAttention'
  | 'issueToken'
  | 'listAccountAuditEvents'
  | 'listAccountTokens'
  | 'listAdmins'
  | 'listOwnSessions'
  | 'openSession'
  | 'revokeToken'
  | 'rotateToken'
  | 'showTokenPage'
  | 'showTokenUse'
  | 'updateToken'
  | 'watchTokenUse';

/** The use cases that pages call. They read the database and no cache, so that a page shows the current state. */
export type PageUseCases = { readonly [Each in Name]: ReturnType<Folders[Each]> };
