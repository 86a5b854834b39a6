import type { Repositories } from '@gatehouse/domain';
import * as accounts from '@gatehouse/domain/accounts';
import { listAccountAuditEvents, listAuditEvents } from '@gatehouse/domain/audit';
import * as organizations from '@gatehouse/domain/organizations';
import type { Catalog } from '@gatehouse/domain/resources';
import * as signingKeys from '@gatehouse/domain/signing-keys';
import { suggest } from '@gatehouse/domain/suggestions';
import type { Clock } from '@gatehouse/domain/time';
import * as tokens from '@gatehouse/domain/tokens';
import * as users from '@gatehouse/domain/users';

/** The ports of the use cases. Functions are called when a use case first needs their result. */
export interface UseCasePorts extends Repositories {
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly ids: tokens.TokenIdGenerator;
  readonly issuer: tokens.TokenIssuer;
  /** Longest a server takes to learn of a change, in milliseconds. */
  readonly maxStalenessMs: number;
  signers(): Promise<readonly tokens.TokenSigner[]>;
  encryption(): Promise<signingKeys.KeyEncryption>;
  passwords(): Promise<users.PasswordHasher>;
}

export type UseCases = ReturnType<typeof createUseCases>;

/** Creates the use cases of administration, which the command line and the server share. */
export function createUseCases(ports: UseCasePorts) {
  const { signers, encryption, passwords } = ports;
  const keys = signingKeys.createKeyRing(ports);
  const hashing = async () => ({ ...ports, passwords: await passwords() });
  const signing = async () => ({ ...ports, signers: await signers(), encryption: await encryption() });
  const verifying = async () => ({ ...ports, keys, signers: await signers() });
  return {
    actAs: users.actAs(ports),
    activateKey: signingKeys.activateKey(ports),
    addMember: organizations.addMember(ports),
    countPrunableTokens: tokens.countPrunableTokens(ports),
    createAccount: accounts.createAccount(ports),
    createKey: late(async () => signingKeys.createKey(await signing())),
    createOrganization: organizations.createOrganization(ports),
    createUser: late(async () => users.createUser(await hashing())),
    deleteOrganization: organizations.deleteOrganization(ports),
    disableUser: users.disableUser(ports),
    enableUser: users.enableUser(ports),
    ensureKeys: late(async () => signingKeys.ensureKeys(await signing())),
    findAccountUse: accounts.findAccountUse(ports),
    findLiveTokens: users.findLiveTokens(ports),
    findOrganization: organizations.findOrganization(ports),
    findTokenByReference: tokens.findTokenByReference(ports),
    findTokensNeedingAttention: tokens.findTokensNeedingAttention(ports),
    findUser: users.findUser(ports),
    identifyToken: late(async () => tokens.identifyToken(await verifying())),
    inspectToken: late(async () => tokens.inspectToken(await verifying())),
    issueToken: late(async () => tokens.issueToken(await signing())),
    listAccountAuditEvents: listAccountAuditEvents(ports),
    listAccountTokens: tokens.listAccountTokens(ports),
    listAccounts: accounts.listAccounts(ports),
    listAdmins: users.listAdmins(ports),
    listAuditEvents: listAuditEvents(ports),
    listKeys: signingKeys.listKeys(ports),
    listOrganizations: organizations.listOrganizations(ports),
    listTokens: tokens.listTokens(ports),
    listUsers: users.listUsers(ports),
    pruneTokens: tokens.pruneTokens(ports),
    removeMember: organizations.removeMember(ports),
    resumeAccount: accounts.resumeAccount(ports),
    retireKey: signingKeys.retireKey(ports),
    revokeToken: tokens.revokeToken(ports),
    rotateToken: late(async () => tokens.rotateToken(await signing())),
    setPassword: late(async () => users.setPassword(await hashing())),
    setRole: users.setRole(ports),
    showKey: signingKeys.showKey(ports),
    showToken: tokens.showToken(ports),
    showTokenPage: tokens.showTokenPage(ports),
    watchTokenUse: tokens.watchTokenUse(ports),
    showTokenUse: tokens.showTokenUse(ports),
    suggest: suggest(ports),
    suspendAccount: accounts.suspendAccount(ports),
    updateOrganization: organizations.updateOrganization(ports),
    updateToken: tokens.updateToken(ports),
  };
}

/** Wraps a use case so that its ports are created on its first call. */
export function late<Input extends readonly unknown[], Output>(
  make: () => Promise<(...input: Input) => Promise<Output>>,
): (...input: Input) => Promise<Output> {
  return async (...input) => (await make())(...input);
}
