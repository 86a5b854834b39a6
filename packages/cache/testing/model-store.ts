import type { AccountId } from '@gatehouse/domain/accounts';
import type { Change } from '@gatehouse/domain/changes';
import type {
  Organization,
  OrganizationId,
  OrganizationReader,
  OrganizationView,
} from '@gatehouse/domain/organizations';
import type { Service, ServiceName } from '@gatehouse/domain/services';
import type { KeyId, KeyState, SigningKey } from '@gatehouse/domain/signing-keys';
import { anOrganization, aReader, aService, aSigningKey, aTokenRecord } from '@gatehouse/domain/testing';
import type { TokenId, TokenRecord } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';

const ACCOUNT = 1 as AccountId;
const USERS = [1, 2] as UserId[];
/** A user of another account, for whom the organization does not exist. */
const OUTSIDER = aReader({ userId: 3 as UserId, accountId: 2 as AccountId });
const KEY = 'key-1' as KeyId;
/** No record depends on it. */
const OTHER_KEY = 'key-2' as KeyId;
const ORGANIZATION = 5 as OrganizationId;

/** Two tokens of one user, one of another; the last one is created during the test. */
export const TOKENS = ['token-1', 'token-2', 'token-3'] as TokenId[];
export const UNBORN = TOKENS[2] as TokenId;

const membership = (userId: UserId): Change => ({ kind: 'membership', organizationId: ORGANIZATION, userId });
const ofToken = (id: TokenId): readonly Change[] => [
  { kind: 'token', id },
  { kind: 'user', id: userOf(id) },
  { kind: 'account', id: ACCOUNT },
  { kind: 'key', id: KEY },
];
const ofView = (userId: UserId): readonly Change[] => [
  { kind: 'organization', id: ORGANIZATION },
  membership(userId),
];

const SERVICE_NAMES = ['billing', 'orders'] as ServiceName[];
const SERVICES = SERVICE_NAMES.map((id): Change => ({ kind: 'service', id }));

const KEYS = [KEY, OTHER_KEY].map((id): Change => ({ kind: 'key', id }));

/** Everything that can change, except the token created later. */
export const CHANGES: readonly Change[] = [
  ...TOKENS.slice(0, 2).map((id): Change => ({ kind: 'token', id })),
  ...USERS.map((id): Change => ({ kind: 'user', id })),
  { kind: 'account', id: ACCOUNT },
  ...KEYS,
  ...SERVICES,
  { kind: 'organization', id: ORGANIZATION },
  ...USERS.map(membership),
];

function userOf(id: TokenId): UserId {
  return USERS[id === TOKENS[0] ? 0 : 1] as UserId;
}

/** The questions of a test, and the facts of each answer. */
export type Question = { readonly facts: readonly Change[] } & (
  | { readonly tokenId: TokenId }
  | { readonly organizationId: OrganizationId; readonly reader: OrganizationReader }
  | { readonly keys: 'all' }
  | { readonly services: 'all' }
);

export type Answer = TokenRecord | OrganizationView | readonly SigningKey[] | readonly Service[];

export const QUESTIONS: readonly Question[] = [
  ...TOKENS.map((tokenId) => ({ tokenId, facts: ofToken(tokenId) })),
  ...USERS.map((userId) => ({
    organizationId: ORGANIZATION,
    reader: aReader({ userId, accountId: ACCOUNT }),
    facts: ofView(userId),
  })),
  { organizationId: ORGANIZATION, reader: OUTSIDER, facts: [] },
  { keys: 'all', facts: KEYS },
  { services: 'all', facts: SERVICES },
];

/** Whether a user of another account asks. */
export const isForeign = (question: Question): boolean =>
  'reader' in question && question.reader.accountId !== ACCOUNT;

export const factOf = (change: Change) => JSON.stringify(change);

/** The version of each fact; 0 if it never changed. */
type Versions = ReadonlyMap<string, number>;

/**
 * A store in which every fact has a version, so that a test sees the age of an answer. A user is a member of the
 * organization if the version of that fact is odd.
 */
export function createModelStore() {
  let versions: Versions = new Map();
  let born = false;
  const organizations = new WeakMap<Organization, Versions>();

  function versionsIn(answer: Answer): Versions | undefined {
    if (isList(answer)) return new Map(answer.map(versionSaidBy));
    return 'keyState' in answer ? versionsSaidBy(answer) : organizations.get(answer.organization);
  }

  return {
    versions: () => versions,
    hasUnborn: () => born,
    bear() {
      born = true;
    },
    change(change: Change) {
      const fact = factOf(change);
      versions = new Map(versions).set(fact, (versions.get(fact) ?? 0) + 1);
    },
    findRecord(id: TokenId): TokenRecord | undefined {
      if (id === UNBORN && !born) return undefined;
      const { user, account, ...token } = aTokenRecord({
        id,
        userId: userOf(id),
        accountId: ACCOUNT,
        keyId: KEY,
      });
      const [ofThis, ofUser, ofAccount, ofKey] = ofToken(id).map((change) => versionIn(versions, change));
      return {
        ...token,
        name: String(ofThis),
        user: { ...user, name: String(ofUser) },
        account: { ...account, name: String(ofAccount) },
        keyState: String(ofKey) as KeyState,
      };
    },
    findForUser({ userId, accountId }: OrganizationReader): OrganizationView | undefined {
      if (accountId !== ACCOUNT) return undefined;
      const organization = anOrganization({ id: ORGANIZATION, accountId: ACCOUNT });
      organizations.set(organization, versions);
      const version = versions.get(factOf(membership(userId))) ?? 0;
      return { organization, isMember: version % 2 === 1 };
    },
    listKeys: (): readonly SigningKey[] =>
      [KEY, OTHER_KEY].map((id) => {
        const version = versionIn(versions, { kind: 'key', id });
        return aSigningKey({ id, state: String(version) as KeyState });
      }),
    listServices: (): readonly Service[] =>
      SERVICE_NAMES.map((name) => {
        const version = versionIn(versions, { kind: 'service', id: name });
        return aService({ name, description: String(version) });
      }),
    /** Returns whether each fact of the answer is at least this new. */
    isAsNewAs(floor: Versions, question: Question, answer: Answer): boolean {
      const seen = versionsIn(answer);
      return question.facts.every((change) => {
        const fact = factOf(change);
        const least = floor.get(fact) ?? 0;
        if (change.kind !== 'membership') return versionIn(seen, change) >= least;
        // Only the parity is visible: from the second version on, either may be new enough.
        return (
          (versions.get(fact) ?? 0) > least || ('isMember' in answer && answer.isMember === (least % 2 === 1))
        );
      });
    },
  };
}

const isList = (answer: Answer): answer is readonly SigningKey[] | readonly Service[] =>
  Array.isArray(answer);

function versionSaidBy(listed: SigningKey | Service): readonly [fact: string, version: number] {
  return 'state' in listed
    ? [factOf({ kind: 'key', id: listed.id }), Number(listed.state)]
    : [factOf({ kind: 'service', id: listed.name }), Number(listed.description)];
}

function versionIn(versions: Versions | undefined, change: Change): number {
  return versions?.get(factOf(change)) ?? 0;
}

/** Each part of a record says its version itself, for a cache may put equal parts of several records together. */
function versionsSaidBy({ id, name, user, account, keyState }: TokenRecord): Versions {
  const said = [name, user.name, account.name, keyState].map(Number);
  return new Map(ofToken(id).map((change, index) => [factOf(change), said[index] ?? 0]));
}
