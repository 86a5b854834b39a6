export { findTokenByReference, type ReferencedToken } from './administration/find-token-by-reference.ts';
export { type ListTokensInput, listTokens } from './administration/list-tokens.ts';
export { countPrunableTokens, type PrunableTokens, pruneTokens } from './administration/prune-tokens.ts';
export { revokeToken } from './administration/revoke-token.ts';
export { showToken, type TokenWithHistory } from './administration/show-token.ts';
export { showTokenPage, type TokenPage } from './administration/show-token-page.ts';
export { type Revoker, showTokenUse, type TokenInUse } from './administration/show-token-use.ts';
export { type TokenChanges, type TokenNotUpdatable, updatedToken } from './administration/token-changes.ts';
export type { TokenFilter, TokenQuery } from './administration/token-filter.ts';
export type { TokenDetails, TokenState, TokenStatus } from './administration/token-status.ts';
export {
  diagnoseToken,
  isAcceptedIn,
  isRefusedSinceUse,
  TOKEN_STATES,
  tokenState,
} from './administration/token-status.ts';
export { type UpdateTokenInput, updateToken } from './administration/update-token.ts';
export type { AuthenticateToken } from './authentication/authenticate-token.ts';
export { authenticateToken, recordDenial } from './authentication/authenticate-token.ts';
export type { InspectedStep, InspectionStep, TokenInspection } from './authentication/inspect-token.ts';
export { identifyToken, inspectToken } from './authentication/inspect-token.ts';
export type { TokenCaller, TokenIssuer, VerifiedToken } from './authentication/token-caller.ts';
export { refused, tokenCaller } from './authentication/token-caller.ts';
export { type End, type Expiry, endFrom } from './issuing/expiry.ts';
export { issueToken } from './issuing/issue-token.ts';
export { type MintedToken, mintToken } from './issuing/mint-token.ts';
export type { TokenIdGenerator } from './issuing/token-id-generator.ts';
export type {
  AccountTokenPage,
  AccountTokenQuery,
  Attention,
  AttentionKind,
  AttentionQuery,
  Attentions,
  FoundAddresses,
  TokenSection,
} from './lists/account-tokens.ts';
export { ATTENTION_KINDS, TOKEN_SECTIONS } from './lists/account-tokens.ts';
export {
  EXPIRES_SOON_MS,
  findTokensNeedingAttention,
  type ListAccountTokensInput,
  listAccountTokens,
} from './lists/list-account-tokens.ts';
export {
  cursorOf,
  formatTokenCursor,
  parseTokenCursor,
  TOKEN_ORDERS,
  type TokenCursor,
  type TokenOrder,
} from './lists/token-order.ts';
export { RECORD_REFUSALS, type RecordRefusal, TOKEN_REFUSALS } from './refusal-reasons.ts';
export { rotateToken } from './rotation/rotate-token.ts';
export type { Successor, TokenNotRotatable, TokenObstacle } from './rotation/rotation.ts';
export { DEFAULT_GRACE_MS, rotationProblem, sameLifeFrom, takesAfter } from './rotation/rotation.ts';
export type { Revocation, Token, TokenFormat, TokenId, TokenKind, TokenRecord } from './token.ts';
export { CLOCK_TOLERANCE_MS, endOf, isLive, parseTokenId, TOKEN_FORMATS, TOKEN_KINDS } from './token.ts';
export { fromPayload, type TokenClaims, toPayload } from './token-claims.ts';
export { tokenPruned, tokenRevoked, tokenTransferred } from './token-events.ts';
export type {
  EndedTokens,
  SignInBound,
  SignInGuard,
  SignInInsertRefusal,
  TokenInsertRefusal,
  TokenRepository,
  TokenRotationRefusal,
  TokenUpdateRefusal,
} from './token-repository.ts';
export { type KeyPair, TOKEN_MAX_LENGTH, type TokenSigner } from './token-signer.ts';
export { addressOfUse } from './usage/address-of-use.ts';
export { type AddressSearch, addressesFound, addressSearch } from './usage/address-search.ts';
export { forgetAddresses } from './usage/forget-addresses.ts';
export type {
  AddressOfRefusal,
  AddressOfUse,
  TokenUsage,
  TokenUsageWithAddresses,
  UsageRecorder,
  UsageRefusal,
} from './usage/token-usage.ts';
export { addressAt, KEPT_ADDRESSES, NEVER_USED } from './usage/token-usage.ts';
export type { RefusalCounts, UsageCounts, UsageFeed, UsageSubscription } from './usage/usage-feed.ts';
export { createUsageInbox, subscriptionTo, type UsageInbox } from './usage/usage-inbox.ts';
export type { UsageRecorderHealth } from './usage/usage-recorder-health.ts';
export { watchTokenUse } from './usage/watch-token-use.ts';
export { type TokenActivity, watchTokens } from './usage/watch-tokens.ts';
export { withoutAddresses } from './usage/without-addresses.ts';
