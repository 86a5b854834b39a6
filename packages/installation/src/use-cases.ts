import * as accounts from '@gatehouse/domain/accounts';
import * as audit from '@gatehouse/domain/audit';
import * as breakGlass from '@gatehouse/domain/break-glass';
import * as identityProviders from '@gatehouse/domain/identity-providers';
import * as links from '@gatehouse/domain/links';
import * as mail from '@gatehouse/domain/mail';
import * as organizations from '@gatehouse/domain/organizations';
import * as reactions from '@gatehouse/domain/reactions';
import * as secondFactor from '@gatehouse/domain/second-factor';
import * as services from '@gatehouse/domain/services';
import * as signingKeys from '@gatehouse/domain/signing-keys';
import * as suggestions from '@gatehouse/domain/suggestions';
import * as tokenPolicy from '@gatehouse/domain/token-policy';
import * as tokens from '@gatehouse/domain/tokens';
import * as users from '@gatehouse/domain/users';
import * as webhooks from '@gatehouse/domain/webhooks';

/**
 * Use cases that the command line and the server do not share: some are only in the command line, and others are
 * created by the server itself, because it answers them from a cache.
 */
const OF_ONE_APP = {
  exportAuditEvents: audit.exportAuditEvents,
  pruneAuditEvents: audit.pruneAuditEvents,
  reapplyAuditEvents: audit.reapplyAuditEvents,
  verifyAuditLog: audit.verifyAuditLog,
  beginEnrolment: secondFactor.beginEnrolment,
  findEnrolment: secondFactor.findEnrolment,
  confirmEnrolment: secondFactor.confirmEnrolment,
  newRecoveryCodes: secondFactor.newRecoveryCodes,
  removeOwnSecondFactor: secondFactor.removeOwnSecondFactor,
  showOwnSecondFactor: secondFactor.showOwnSecondFactor,
  rewrapKeys: signingKeys.rewrapKeys,
  watchTokens: tokens.watchTokens,
  introspectToken: services.introspectToken,
  readTokenChanges: services.readTokenChanges,
  refreshTokens: services.refreshTokens,
  reportTokenUses: services.reportTokenUses,
  getOrganization: organizations.getOrganization,
};

const FOLDERS = {
  ...accounts,
  ...audit,
  ...breakGlass,
  ...identityProviders,
  ...links,
  ...mail,
  ...organizations,
  ...reactions,
  ...secondFactor,
  ...services,
  ...signingKeys,
  ...suggestions,
  ...tokenPolicy,
  ...tokens,
  ...users,
  ...webhooks,
};

/**
 * The use cases of administration, which the command line and the server share: all use cases that the folders of the
 * domain in `FOLDERS` export, except those in `OF_ONE_APP`.
 */
export const ADMINISTRATION = {
  ...without(useCasesIn(FOLDERS), OF_ONE_APP),
  // These two use cases check no rule, so `useCasesIn` does not find them. `actAs` runs before the caller is known, and
  // `ensureKeys` runs before anything is signed.
  actAs: users.actAs,
  ensureKeys: signingKeys.ensureKeys,
};

export type UseCases = Made<typeof ADMINISTRATION>;
export type UseCasePorts = PortsOf<typeof ADMINISTRATION>;

/** Creates the use cases of administration from their ports. */
export function createUseCases(ports: UseCasePorts): UseCases {
  return make(ADMINISTRATION, ports);
}

/** Functions that create use cases from their ports, by the names of the use cases. */
export type UseCaseSet = Readonly<Record<string, (ports: never) => unknown>>;

/** The use cases that the functions of a set create, by name. */
export type Made<Set extends UseCaseSet> = { readonly [Name in keyof Set]: ReturnType<Set[Name]> };

/** The ports of all use cases of a set together: an object that has the ports of each use case. */
export type PortsOf<Set> = {
  [Name in keyof Set]: Set[Name] extends (ports: infer Ports) => unknown ? (ports: Ports) => void : never;
}[keyof Set] extends (ports: infer Ports) => void
  ? Ports
  : never;

/** Creates the use cases of a set from their ports. */
export function make<Set extends UseCaseSet>(set: Set, ports: PortsOf<Set>): Made<Set> {
  const made = Object.entries(set).map(([name, useCase]) => [name, useCase(ports as never)]);
  return Object.fromEntries(made);
}

type MadeLazy<Set extends UseCaseSet> = {
  readonly [Name in keyof Set]: ReturnType<Set[Name]> extends (...input: infer Input) => infer Output
    ? (...input: Input) => Promise<Awaited<Output>>
    : never;
};

/**
 * Creates the use cases of a set without their ports. Each call of a use case creates the ports, so slow modules are
 * loaded only when a use case is called.
 */
export function makeLazy<Set extends UseCaseSet>(
  set: Set,
  ports: () => Promise<PortsOf<Set>>,
): MadeLazy<Set> {
  const made = Object.entries(set).map(([name, useCase]) => [
    name,
    async (...input: readonly unknown[]) => {
      const run = useCase((await ports()) as never) as (...input: readonly unknown[]) => unknown;
      return run(...input);
    },
  ]);
  return Object.fromEntries(made);
}

type UseCasesIn<Folder> = {
  [Name in keyof Folder as Folder[Name] extends { readonly rule: unknown } ? Name : never]: Folder[Name];
};

/** Returns the use cases among the exports of a folder: the functions that `authorized` made. */
export function useCasesIn<Folder extends object>(folder: Folder): UseCasesIn<Folder> {
  const found = Object.entries(folder).filter(([, made]) => typeof made === 'function' && 'rule' in made);
  return Object.fromEntries(found) as UseCasesIn<Folder>;
}

/** Returns a copy of the set without the use cases that are also in the other set. */
export function without<Set extends object, Other extends object>(
  set: Set,
  other: Other,
): Omit<Set, keyof Other> {
  const rest = Object.entries(set).filter(([name]) => !Object.hasOwn(other, name));
  return Object.fromEntries(rest) as Omit<Set, keyof Other>;
}
