import * as domain from '@gatehouse/domain';
import type { PlacedMasterKeys } from './master-keys.ts';

/** What the use cases are made of. What few commands need is made when it is first asked for. */
export interface CliPorts {
  readonly clock: domain.Clock;
  readonly ids: domain.TokenIdGenerator;
  readonly accounts: domain.AccountRepository;
  readonly users: domain.UserRepository;
  readonly organizations: domain.OrganizationRepository;
  readonly tokens: domain.TokenRepository;
  readonly signingKeys: domain.SigningKeyRepository;
  readonly audit: domain.AuditLog;
  readonly suggestions: domain.SuggestionSource;
  readonly usageFeed: domain.UsageFeed;
  readonly usageRecorders: domain.UsageRecorderHealth;
  readonly storeProbe: domain.StoreProbe;
  readonly changeFeedProbe: domain.ChangeFeedProbe;
  readonly issuer: domain.TokenIssuer;
  /** How long a server may take to hear of a change, in milliseconds. */
  readonly maxStalenessMs: number;
  readonly findMasterKey: domain.FindMasterKey;
  signers(): Promise<readonly domain.TokenSigner[]>;
  encryption(): Promise<domain.KeyEncryption>;
  passwords(): Promise<domain.PasswordHasher>;
  masterKeys(): Promise<PlacedMasterKeys>;
}

/** What commands can do, as the domain has it: the one list of it. */
export type UseCases = ReturnType<typeof createUseCases>;

export function createUseCases(ports: CliPorts) {
  const { signers, encryption, passwords } = ports;
  const keys = domain.createKeyRing(ports);
  const hashing = async () => ({ ...ports, passwords: await passwords() });
  const signing = async () => ({ ...ports, signers: await signers(), encryption: await encryption() });
  const verifying = async () => ({ ...ports, keys, signers: await signers() });
  return {
    actAs: domain.actAs(ports),
    activateKey: domain.activateKey(ports),
    addMember: domain.addMember(ports),
    checkHealth: domain.checkHealth(ports),
    countPrunableTokens: domain.countPrunableTokens(ports),
    createAccount: domain.createAccount(ports),
    createKey: late(async () => domain.createKey(await signing())),
    createOrganization: domain.createOrganization(ports),
    createUser: late(async () => domain.createUser(await hashing())),
    deleteOrganization: domain.deleteOrganization(ports),
    disableUser: domain.disableUser(ports),
    enableUser: domain.enableUser(ports),
    ensureKeys: late(async () => domain.ensureKeys(await signing())),
    findAccountUse: domain.findAccountUse(ports),
    findLiveTokens: domain.findLiveTokens(ports),
    findOrganization: domain.findOrganization(ports),
    findUser: domain.findUser(ports),
    identifyToken: late(async () => domain.identifyToken(await verifying())),
    inspectToken: late(async () => domain.inspectToken(await verifying())),
    issueToken: late(async () => domain.issueToken(await signing())),
    listAccounts: domain.listAccounts(ports),
    listAuditEvents: domain.listAuditEvents(ports),
    listKeys: domain.listKeys(ports),
    listOrganizations: domain.listOrganizations(ports),
    listTokens: domain.listTokens(ports),
    listUsers: domain.listUsers(ports),
    pruneTokens: domain.pruneTokens(ports),
    removeMember: domain.removeMember(ports),
    resumeAccount: domain.resumeAccount(ports),
    retireKey: domain.retireKey(ports),
    revokeToken: domain.revokeToken(ports),
    /** Answers with where the master keys are now, too. */
    async rewrapKeys(caller: domain.Caller) {
      const masterKeys = await ports.masterKeys();
      const rewrapped = await domain.rewrapKeys({ ...ports, masterKeys })(caller);
      return rewrapped.ok ? domain.ok({ ...rewrapped.value, placement: masterKeys.placement() }) : rewrapped;
    },
    rotateToken: late(async () => domain.rotateToken(await signing())),
    setPassword: late(async () => domain.setPassword(await hashing())),
    setRole: domain.setRole(ports),
    showKey: domain.showKey(ports),
    showToken: domain.showToken(ports),
    suggest: domain.suggest(ports),
    suspendAccount: domain.suspendAccount(ports),
    updateOrganization: domain.updateOrganization(ports),
    watchTokens: domain.watchTokens(ports),
  };
}

/** A use case whose ports are made when it is first called. */
function late<Input extends readonly unknown[], Output>(
  make: () => Promise<(...input: Input) => Promise<Output>>,
): (...input: Input) => Promise<Output> {
  return async (...input) => (await make())(...input);
}
