export {
  type Brand,
  type ChangeOutcome,
  checkName,
  checkText,
  err,
  type InvalidInput,
  inPages,
  invalid,
  ok,
  type PageById,
  type Pages,
  parsePositiveInteger,
  type Result,
  UnavailableFault,
} from '@gatehouse/domain';
export {
  type AccessDenied,
  authorize,
  authorized,
  type Caller,
  defineRule,
  type Operator,
  type Principal,
  type Rule,
} from '@gatehouse/domain/access';
export { type AccountId, parseAccountId } from '@gatehouse/domain/accounts';
export { type AuditEvent, eventBy, eventOf } from '@gatehouse/domain/audit';
export type { GuardedAction, GuardedRequests, GuardFacts } from '@gatehouse/domain/guards';
export {
  findOrganizationFor,
  type Organization,
  type OrganizationAccess,
  type OrganizationId,
  parseOrganizationId,
} from '@gatehouse/domain/organizations';
export { type Clock, formatInstant, formatInstantOrNull, type Instant } from '@gatehouse/domain/time';
export type { ExtensionPorts } from './extension-ports.ts';
