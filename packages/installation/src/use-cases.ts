import type { Repositories } from '@gatehouse/domain';
import {
  createAccount,
  findAccountUse,
  listAccounts,
  resumeAccount,
  suspendAccount,
} from '@gatehouse/domain/accounts';
import { listAuditEvents } from '@gatehouse/domain/audit';
import {
  addMember,
  createOrganization,
  deleteOrganization,
  findOrganization,
  listOrganizations,
  removeMember,
  updateOrganization,
} from '@gatehouse/domain/organizations';
import {
  activateKey,
  createKey,
  createKeyRing,
  ensureKeys,
  type KeyEncryption,
  listKeys,
  retireKey,
  showKey,
} from '@gatehouse/domain/signing-keys';
import { suggest } from '@gatehouse/domain/suggestions';
import type { Clock } from '@gatehouse/domain/time';
import {
  countPrunableTokens,
  findTokenByReference,
  identifyToken,
  inspectToken,
  issueToken,
  listTokens,
  pruneTokens,
  revokeToken,
  rotateToken,
  showToken,
  type TokenIdGenerator,
  type TokenIssuer,
  type TokenSigner,
} from '@gatehouse/domain/tokens';
import {
  actAs,
  createUser,
  disableUser,
  enableUser,
  findLiveTokens,
  findUser,
  listUsers,
  type PasswordHasher,
  setPassword,
  setRole,
} from '@gatehouse/domain/users';

/** The ports of the use cases. Functions are called when a use case first needs their result. */
export interface UseCasePorts extends Repositories {
  readonly clock: Clock;
  readonly ids: TokenIdGenerator;
  readonly issuer: TokenIssuer;
  /** Longest a server takes to learn of a change, in milliseconds. */
  readonly maxStalenessMs: number;
  signers(): Promise<readonly TokenSigner[]>;
  encryption(): Promise<KeyEncryption>;
  passwords(): Promise<PasswordHasher>;
}

export type UseCases = ReturnType<typeof createUseCases>;

/** Creates the use cases of administration, which the command line and the server share. */
export function createUseCases(ports: UseCasePorts) {
  const { signers, encryption, passwords } = ports;
  const keys = createKeyRing(ports);
  const hashing = async () => ({ ...ports, passwords: await passwords() });
  const signing = async () => ({ ...ports, signers: await signers(), encryption: await encryption() });
  const verifying = async () => ({ ...ports, keys, signers: await signers() });
  return {
    actAs: actAs(ports),
    activateKey: activateKey(ports),
    addMember: addMember(ports),
    countPrunableTokens: countPrunableTokens(ports),
    createAccount: createAccount(ports),
    createKey: late(async () => createKey(await signing())),
    createOrganization: createOrganization(ports),
    createUser: late(async () => createUser(await hashing())),
    deleteOrganization: deleteOrganization(ports),
    disableUser: disableUser(ports),
    enableUser: enableUser(ports),
    ensureKeys: late(async () => ensureKeys(await signing())),
    findAccountUse: findAccountUse(ports),
    findLiveTokens: findLiveTokens(ports),
    findOrganization: findOrganization(ports),
    findTokenByReference: findTokenByReference(ports),
    findUser: findUser(ports),
    identifyToken: late(async () => identifyToken(await verifying())),
    inspectToken: late(async () => inspectToken(await verifying())),
    issueToken: late(async () => issueToken(await signing())),
    listAccounts: listAccounts(ports),
    listAuditEvents: listAuditEvents(ports),
    listKeys: listKeys(ports),
    listOrganizations: listOrganizations(ports),
    listTokens: listTokens(ports),
    listUsers: listUsers(ports),
    pruneTokens: pruneTokens(ports),
    removeMember: removeMember(ports),
    resumeAccount: resumeAccount(ports),
    retireKey: retireKey(ports),
    revokeToken: revokeToken(ports),
    rotateToken: late(async () => rotateToken(await signing())),
    setPassword: late(async () => setPassword(await hashing())),
    setRole: setRole(ports),
    showKey: showKey(ports),
    showToken: showToken(ports),
    suggest: suggest(ports),
    suspendAccount: suspendAccount(ports),
    updateOrganization: updateOrganization(ports),
  };
}

/** Wraps a use case so that its ports are created on its first call. */
function late<Input extends readonly unknown[], Output>(
  make: () => Promise<(...input: Input) => Promise<Output>>,
): (...input: Input) => Promise<Output> {
  return async (...input) => (await make())(...input);
}
