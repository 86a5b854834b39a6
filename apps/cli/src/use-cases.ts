import { ok } from '@gatehouse/domain';
import type { Caller } from '@gatehouse/domain/access';
import {
  type AccountRepository,
  createAccount,
  findAccountUse,
  listAccounts,
  resumeAccount,
  suspendAccount,
} from '@gatehouse/domain/accounts';
import { type AuditLog, listAuditEvents } from '@gatehouse/domain/audit';
import {
  type ChangeFeedProbe,
  checkHealth,
  type FindMasterKey,
  type StoreProbe,
} from '@gatehouse/domain/health';
import {
  addMember,
  createOrganization,
  deleteOrganization,
  findOrganization,
  listOrganizations,
  type OrganizationRepository,
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
  rewrapKeys,
  type SigningKeyRepository,
  showKey,
} from '@gatehouse/domain/signing-keys';
import { type SuggestionSource, suggest } from '@gatehouse/domain/suggestions';
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
  type TokenRepository,
  type TokenSigner,
  type UsageFeed,
  type UsageRecorderHealth,
  watchTokens,
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
  type UserRepository,
} from '@gatehouse/domain/users';
import type { PlacedMasterKeys } from './master-keys.ts';

/** What the use cases are made of. What few commands need is made when it is first asked for. */
export interface CliPorts {
  readonly clock: Clock;
  readonly ids: TokenIdGenerator;
  readonly accounts: AccountRepository;
  readonly users: UserRepository;
  readonly organizations: OrganizationRepository;
  readonly tokens: TokenRepository;
  readonly signingKeys: SigningKeyRepository;
  readonly audit: AuditLog;
  readonly suggestions: SuggestionSource;
  readonly usageFeed: UsageFeed;
  readonly usageRecorders: UsageRecorderHealth;
  readonly storeProbe: StoreProbe;
  readonly changeFeedProbe: ChangeFeedProbe;
  readonly issuer: TokenIssuer;
  /** How long a server may take to hear of a change, in milliseconds. */
  readonly maxStalenessMs: number;
  readonly findMasterKey: FindMasterKey;
  signers(): Promise<readonly TokenSigner[]>;
  encryption(): Promise<KeyEncryption>;
  passwords(): Promise<PasswordHasher>;
  masterKeys(): Promise<PlacedMasterKeys>;
}

/** What commands can do, as the domain has it: the one list of it. */
export type UseCases = ReturnType<typeof createUseCases>;

export function createUseCases(ports: CliPorts) {
  const { signers, encryption, passwords } = ports;
  const keys = createKeyRing(ports);
  const hashing = async () => ({ ...ports, passwords: await passwords() });
  const signing = async () => ({ ...ports, signers: await signers(), encryption: await encryption() });
  const verifying = async () => ({ ...ports, keys, signers: await signers() });
  return {
    actAs: actAs(ports),
    activateKey: activateKey(ports),
    addMember: addMember(ports),
    checkHealth: checkHealth(ports),
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
    /** Answers with where the master keys are now, too. */
    async rewrapKeys(caller: Caller) {
      const masterKeys = await ports.masterKeys();
      const rewrapped = await rewrapKeys({ ...ports, masterKeys })(caller);
      return rewrapped.ok ? ok({ ...rewrapped.value, placement: masterKeys.placement() }) : rewrapped;
    },
    rotateToken: late(async () => rotateToken(await signing())),
    setPassword: late(async () => setPassword(await hashing())),
    setRole: setRole(ports),
    showKey: showKey(ports),
    showToken: showToken(ports),
    suggest: suggest(ports),
    suspendAccount: suspendAccount(ports),
    updateOrganization: updateOrganization(ports),
    watchTokens: watchTokens(ports),
  };
}

/** A use case whose ports are made when it is first called. */
function late<Input extends readonly unknown[], Output>(
  make: () => Promise<(...input: Input) => Promise<Output>>,
): (...input: Input) => Promise<Output> {
  return async (...input) => (await make())(...input);
}
