import { type Repositories, UnavailableFault } from '@gatehouse/domain';
import type { AuditEvent } from '@gatehouse/domain/audit';
import type { LinkCodeHash } from '@gatehouse/domain/links';
import type { ReactionName } from '@gatehouse/domain/reactions';
import type { PendingSecretHash } from '@gatehouse/domain/second-factor';
import type { ServiceName } from '@gatehouse/domain/services';
import type { SuggestionSource } from '@gatehouse/domain/suggestions';
import {
  aCredential,
  anEvent,
  aRevocation,
  aToken,
  givenActiveKey,
  givenAdmin,
  givenMember,
  givenOrganization,
  givenService,
  givenSession,
  givenToken,
  readerFrom,
  START,
} from '@gatehouse/domain/testing';
import type { Instant } from '@gatehouse/domain/time';
import { emailKey } from '@gatehouse/domain/users';
import type { WebhookId } from '@gatehouse/domain/webhooks';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { openWithPretendedStandby } from '../../../testing/pretend-standby.ts';
import { createPostgresRepositories } from '../../repositories.ts';
import { createPostgresUsageRecorderHealth } from '../../usage/usage-records.ts';
import type { Database } from '../database.ts';
import { createPostgresStoreProbe } from './store-probe.ts';

const { database, standby, pretend, close } = await openWithPretendedStandby();
afterAll(close);
const [primaryStore, standbyStore] = [database, standby].map(createPostgresRepositories) as [
  Repositories,
  Repositories,
];
const user = await givenAdmin(primaryStore);
const organization = await givenOrganization(primaryStore, user.accountId);
await givenMember(primaryStore, organization.id, user.id);
const token = await givenToken(primaryStore, user);
const session = await givenSession(primaryStore, user);
const key = await givenActiveKey(primaryStore);
const [credential] = (await givenService(primaryStore, { credentials: [aCredential()] })).credentials;
await pretend(true);

/** Arguments that only methods that write take: an event, or a function that makes one. */
type Event =
  | AuditEvent
  | readonly AuditEvent[]
  | ((...given: never[]) => AuditEvent)
  | { readonly ended: unknown };

type RecordsEvent<Method> = Method extends (...given: infer Given extends readonly unknown[]) => unknown
  ? Extract<Given[number], Event> extends never
    ? false
    : true
  : false;

type Call<Repository> = 'writes' | ((repository: Repository) => Promise<unknown>);

/**
 * Calls every method that reads. Those that write need none: a standby refuses to write by itself. A method that
 * records no event has to be here.
 */
type ReadsOf<Repository> = {
  readonly [Method in keyof Repository as RecordsEvent<Repository[Method]> extends true
    ? never
    : Method]: Call<Repository>;
} & { readonly [Method in keyof Repository]?: Call<Repository> };

const ACCOUNT = { name: 'Acme', createdAt: START };
const NEVER = 0 as Instant;
const PAGE = { limit: 10 };
const WEBHOOK = 1 as WebhookId;
const BEGINNING: Parameters<SuggestionSource['tokens']>[0] = { prefix: '', limit: 10 };
const LIST = { accountId: user.accountId, countLimit: 10, now: START };
const QUERY = { ...PAGE, now: START };
const REACTION = 'mail' as ReactionName;

/** A method that is added to a repository, and records no event, does not compile before it is here. */
const READS: { readonly [Name in keyof Repositories]: ReadsOf<Repositories[Name]> } = {
  accounts: {
    findById: (accounts) => accounts.findById(user.accountId),
    list: (accounts) => accounts.list(PAGE),
    listByName: (accounts) => accounts.listByName('Acme', 10),
    countUse: (accounts) => accounts.countUse(user.accountId, { at: START, limit: 10 }),
  },
  users: {
    findById: (users) => users.findById(user.id),
    findByEmail: (users) => users.findByEmail(emailKey(user.email)),
    findCredentials: (users) => users.findCredentials(emailKey(user.email)),
    list: (users) => users.list(PAGE),
    listOfAccount: (users) => users.listOfAccount({ ...LIST, ...PAGE, order: 'name' }),
    findDetails: (users) => users.findDetails(user.id, { at: START, limit: 10 }),
    findDisableFacts: (users) => users.findDisableFacts(user.id, { at: START, limit: 10 }),
    listAdmins: (users) => users.listAdmins(user.accountId, 10),
    listStrayEmails: (users) => users.listStrayEmails(10),
    listLiveTokens: (users) => users.listLiveTokens(user.id, { at: START, limit: 10 }),
    replacePasswordHash: 'writes',
  },
  serviceAccounts: {
    find: (accounts) => accounts.find(user.id),
    list: (accounts) => accounts.list(PAGE),
  },
  organizations: {
    findById: (organizations) => organizations.findById(organization.id),
    findForUser: async (organizations) => organizations.findForUser(organization.id, readerFrom(user)),
    list: (organizations) => organizations.list(PAGE),
    countMembers: (organizations) => organizations.countMembers(organization.id),
  },
  organizationLists: {
    list: ({ list }) => list({ accountId: user.accountId, memberId: user.id, limit: 10 }),
    listCounted: ({ listCounted }) => listCounted({ accountId: user.accountId, limit: 10, countLimit: 10 }),
    listMembers: ({ listMembers }) => listMembers({ organizationId: organization.id, limit: 10 }),
  },
  tokens: {
    findRecord: async (tokens) => tokens.findRecord(token.id),
    findRecords: (tokens) => tokens.findRecords([token.id]),
    find: (tokens) => tokens.find(token.id),
    findSeveral: (tokens) => tokens.findSeveral([token.id]),
    findWithRotation: (tokens) => tokens.findWithRotation(token.id, START),
    findUsage: (tokens) => tokens.findUsage(token.id),
    forgetAddresses: 'writes',
    list: (tokens) => tokens.list(QUERY),
    count: (tokens) => tokens.count(QUERY),
    listOfAccount: (tokens) => tokens.listOfAccount({ ...LIST, ...PAGE, section: 'active', order: 'newest' }),
    findNeedingAttention: (tokens) =>
      tokens.findNeedingAttention({ ...LIST, ...PAGE, expiringBefore: START, unusedSince: START }),
    endOldestSignIns: (tokens) =>
      tokens.endOldestSignIns({ userId: user.id, keep: 10, limit: 10 }, aRevocation(), anEvent()),
    countEnded: (tokens) => tokens.countEnded({ endedBefore: START, limit: 10 }),
  },
  tokenNetworks: {},
  reactions: {
    register: 'writes',
    hold: 'writes',
    release: 'writes',
    advance: 'writes',
    settle: 'writes',
    findDue: (reactions) => reactions.findDue(REACTION, { now: START, lanes: 10, each: 10, except: [] }),
    list: (reactions) => reactions.list(),
    findStuck: (reactions) => reactions.findStuck({ reaction: REACTION, limit: 10 }),
  },
  timeEvents: {
    lookAtTokens: 'writes',
    recordDueKeys: 'writes',
    recordExceededPolicies: 'writes',
  },
  editions: { findOlder: (editions) => editions.findOlder() },
  tokenPolicies: {
    find: (policies) => policies.find(user.accountId),
    findFloor: (policies) => policies.findFloor(),
    listTooLong: (policies) => policies.listTooLong(user.accountId, { at: START, limit: 10 }),
  },
  sessions: {
    find: (sessions) => sessions.find(session.secretHash),
    touch: 'writes',
    confirmPassword: 'writes',
    renew: 'writes',
    list: (sessions) => sessions.list(user.id, { createdAfter: NEVER, seenAfter: NEVER }),
    sweep: 'writes',
  },
  secondFactors: {
    find: (factors) => factors.find(user.id),
    findLastReset: (factors) => factors.findLastReset(user.id),
    findPolicy: (factors) => factors.findPolicy(user.accountId),
    findPending: (factors) => factors.findPending(session.secretHash as string as PendingSecretHash, START),
    list: (factors) => factors.list(PAGE),
    prove: 'writes',
    setPolicy: 'writes',
    insertPending: 'writes',
    takePending: 'writes',
    sweepPending: 'writes',
    reseal: 'writes',
  },
  invitations: {
    findByCode: (invitations) => invitations.findByCode(session.secretHash as string as LinkCodeHash, START),
    list: (invitations) => invitations.list({ ...PAGE, at: START }),
    // Both record events, by functions or lists of them.
    insert: 'writes',
    accept: 'writes',
    renewCode: 'writes',
  },
  resetLinks: {
    findByCode: (links) => links.findByCode(session.secretHash as string as LinkCodeHash, START),
    findLastReset: (links) => links.findLastReset(user.id),
    renewCode: 'writes',
    request: 'writes',
    forgetRequests: 'writes',
    redeem: 'writes',
  },
  noticePreferences: { find: (preferences) => preferences.find(user.id) },
  heldNotices: { admit: 'writes', takeDue: 'writes', settle: 'writes', forget: 'writes' },
  signingKeys: {
    findById: (keys) => keys.findById(key.id),
    findActive: (keys) => keys.findActive(key.format),
    list: (keys) => keys.list(),
    countLiveTokens: (keys) => keys.countLiveTokens(START),
    findLastUse: (keys) => keys.findLastUse(key.id, START),
  },
  attempts: { insert: 'writes', take: 'writes', sweep: 'writes' },
  identities: {
    findUser: (identities) => identities.findUser({ issuer: 'https://entra.example', subject: 'ada' }),
    findMeans: (identities) => identities.findMeans(user.id),
    settle: 'writes',
  },
  breakGlass: {
    mark: 'writes',
    findGate: (breakGlass) => breakGlass.findGate(user),
    findConcerns: (breakGlass) => breakGlass.findConcerns({ at: START, since: START, limit: 10 }),
  },
  services: {
    list: async (services) => services.list(),
    findCredentialUses: (services) => services.findCredentialUses([credential.id]),
    findHandleSecret: (services) => services.findHandleSecret(),
  },
  introspection: {
    find: (introspection) => introspection.find(credential.hash, token.id),
    findUsed: (introspection) => introspection.findUsed(credential.hash, [token.id]),
  },
  usageReports: {
    findFirstUses: (reports) => reports.findFirstUses('orders' as ServiceName, [token.id]),
    store: 'writes',
  },
  audit: {
    list: (audit) => audit.list(PAGE),
    findNamed: (audit) => audit.findNamed({ user: 'ada', token: 'erp', limit: 1 }),
  },
  auditSeals: {
    sealNext: 'writes',
    list: (seals) => seals.list({ after: 0, limit: 10 }),
    findLast: (seals) => seals.findLast(),
    readEvents: (seals) => seals.readEvents([[1, 10]]),
    findIds: (seals) => seals.findIds([[1, 10]], 10),
    findUnsealed: (seals) => seals.findUnsealed(),
    findTableChanges: (seals) => seals.findTableChanges(),
    findKey: (seals) => seals.findKey(),
    insertKey: 'writes',
  },
  webhooks: {
    nextId: (webhooks) => webhooks.nextId(),
    find: (webhooks) => webhooks.find({ id: WEBHOOK }),
    findSealed: (webhooks) => webhooks.findSealed(WEBHOOK),
    list: (webhooks) => webhooks.list(PAGE),
    listEnabled: (webhooks) => webhooks.listEnabled([user.accountId]),
    listAttempts: (webhooks) => webhooks.listAttempts(WEBHOOK),
    listTroubled: (webhooks) => webhooks.listTroubled({ failingSince: START, limit: 10 }),
    listSecrets: (webhooks) => webhooks.listSecrets(PAGE),
    recordAttempt: 'writes',
    beginTest: 'writes',
    reseal: 'writes',
  },
  suggestions: {
    tokenNames: (suggestions) => suggestions.tokenNames(BEGINNING),
    tokens: (suggestions) => suggestions.tokens(BEGINNING),
    users: (suggestions) => suggestions.users(BEGINNING),
  },
};

type AnyReads = Readonly<
  Record<string, Record<string, 'writes' | ((...given: unknown[]) => Promise<unknown>)>>
>;

// Each method is typed for its own repository, and here all are called alike.
const reads = Object.entries(READS as unknown as AnyReads).flatMap(([name, methods]) =>
  Object.entries(methods).flatMap(([method, read]) =>
    read === 'writes' ? [] : { name: name as keyof Repositories, title: `${name}.${method}`, read },
  ),
);

const refusal = expect.objectContaining({
  name: 'UnavailableFault',
  message: expect.stringContaining('DATABASE_URL leads to a standby'),
});

describe('a standby', () => {
  test.for(reads)('answers no read: $title', async ({ name, read }) => {
    await read(primaryStore[name]);
    await expect(read(standbyStore[name])).rejects.toEqual(refusal);
  });

  test('answers no read that would find nothing', async () => {
    const { organizations, tokens } = standbyStore;
    const unknown = 999_999 as typeof organization.id;
    await expect(tokens.findRecord(aToken(user, key).id)).rejects.toEqual(refusal);
    await expect(organizations.findForUser(unknown, readerFrom(user))).rejects.toEqual(refusal);
  });

  test('answers no read within a transaction', async () => {
    const read = standby.queries
      .transaction()
      .execute((tx) => tx.selectFrom('signing_keys').select('id').execute());
    await expect(read).rejects.toEqual(refusal);
  });

  test('answers no read of doctor or /ready', async () => {
    const probe = createPostgresStoreProbe(standby);
    await expect(probe.now()).rejects.toEqual(refusal);
    await expect(probe.schemaState()).rejects.toEqual(refusal);
    await expect(probe.publicAccess()).rejects.toEqual(refusal);
    await expect(createPostgresUsageRecorderHealth(standby).list()).rejects.toEqual(refusal);
  });

  /** Uses a pool whose first connection leads to a standby, and once more when no connection does. */
  async function twice<T>(use: (standby: Database) => Promise<T>) {
    const { standby, pretend, close } = await openWithPretendedStandby();
    onTestFinished(close);
    await pretend(true);
    const first = await use(standby).catch((error: unknown) => error);
    await pretend(false);
    return { first, second: await use(standby) };
  }

  test('is left after a read: the next one uses another connection', async () => {
    const find = async (database: Database) =>
      createPostgresRepositories(database).tokens.findRecord(token.id);
    expect(await twice(find)).toEqual({ first: refusal, second: undefined });
  });

  test('is left after a write', async () => {
    const create = (database: Database) =>
      createPostgresRepositories(database).accounts.insert(ACCOUNT, () => anEvent());
    const { first, second } = await twice(create);
    expect(first).toBeInstanceOf(UnavailableFault);
    expect(second).toMatchObject(ACCOUNT);
  });
});
