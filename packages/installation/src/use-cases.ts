import * as accounts from '@gatehouse/domain/accounts';
import * as audit from '@gatehouse/domain/audit';
import * as organizations from '@gatehouse/domain/organizations';
import * as signingKeys from '@gatehouse/domain/signing-keys';
import * as suggestions from '@gatehouse/domain/suggestions';
import * as tokens from '@gatehouse/domain/tokens';
import * as users from '@gatehouse/domain/users';
import { type Made, make, type PortsOf, useCasesIn, without } from './use-case-sets.ts';

/** Use cases that only one app has: a server has no ports for them, or builds them on its cache. */
const OF_ONE_APP = {
  exportAuditEvents: audit.exportAuditEvents,
  pruneAuditEvents: audit.pruneAuditEvents,
  reapplyAuditEvents: audit.reapplyAuditEvents,
  verifyAuditLog: audit.verifyAuditLog,
  rewrapKeys: signingKeys.rewrapKeys,
  watchTokens: tokens.watchTokens,
  getOrganization: organizations.getOrganization,
};

const FOLDERS = {
  ...accounts,
  ...audit,
  ...organizations,
  ...signingKeys,
  ...suggestions,
  ...tokens,
  ...users,
};

/** The use cases of administration, which the command line and the server share: all that the folders export. */
export const ADMINISTRATION = {
  ...without(useCasesIn(FOLDERS), OF_ONE_APP),
  // These two use cases check no rule: they run before there is a caller, or before anything is signed.
  actAs: users.actAs,
  ensureKeys: signingKeys.ensureKeys,
};

export type UseCases = Made<typeof ADMINISTRATION>;
export type UseCasePorts = PortsOf<typeof ADMINISTRATION>;

/** Creates the use cases of administration. */
export function createUseCases(ports: UseCasePorts): UseCases {
  return make(ADMINISTRATION, ports);
}
