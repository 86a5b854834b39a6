import { addMilliseconds } from '../../src/time/index.ts';
import type { AccountTokenQuery, Token, TokenDetails } from '../../src/tokens/index.ts';
import { isAcceptedIn, tokenState } from '../../src/tokens/index.ts';
import { emailKey, type User } from '../../src/users/index.ts';
import {
  anEvent,
  aRevocation,
  aSigningKey,
  givenAccount,
  givenToken,
  givenUser,
  START,
} from '../fixtures.ts';
import type { RecordedRepositories } from '../repositories.ts';

export const DAY = 86_400_000;
export const day = (days: number) => addMilliseconds(START, days * DAY);

/** The time of the queries: a hundred days after most tokens were created. */
export const NOW = day(100);

type Filter = Partial<AccountTokenQuery>;

export const isUnused = ({ createdAt, usage }: TokenDetails) =>
  createdAt < day(10) && (usage.lastUsedAt ?? START) < day(10);
export const isRefusedSinceUse = ({ usage: { lastRefusal, lastUsedAt } }: TokenDetails) =>
  lastRefusal !== null && (lastUsedAt === null || lastRefusal.at >= lastUsedAt);

export interface Population {
  readonly ada: User;
  /** The account's API tokens, sorted by id. */
  readonly entries: readonly TokenDetails[];
  /** Filters with one condition each, and the same condition as a function. */
  readonly filters: readonly (readonly [Filter, (entry: TokenDetails) => boolean])[];
}

/** Stores an account with tokens in every state, and others that no list of it may hold. */
export async function populate(store: RecordedRepositories): Promise<Population> {
  const { id: accountId } = await givenAccount(store);
  const ada = await givenUser(store, accountId, { email: 'Ada@list.example' });
  const bo = await givenUser(store, accountId, { email: 'bo_@list.example' });
  const gone = await givenUser(store, accountId, { email: 'gone@list.example' });
  const eve = await givenUser(store, (await givenAccount(store)).id, { email: 'ada@other.example' });
  const tokens: Token[] = [];
  const give = async (parts: Partial<Token>, user = ada) => {
    const token = await givenToken(store, user, parts);
    if (user !== eve && token.kind === 'api') tokens.push(token);
    return token;
  };
  const revoke = ({ id }: Token) => store.tokens.revoke(id, aRevocation(), anEvent());

  const oldKey = await givenNewKey(store);
  await give({ name: 'ERP old key' });
  await revoke(await give({ name: 'old key and revoked' }));
  await givenNewKey(store);
  await store.signingKeys.retire(oldKey.id, START, aRevocation(), anEvent());

  await give({ name: 'café', scopes: ['me:read'] });
  await give({ name: 'soon', expiresAt: day(101), createdAt: day(50) });
  await give({ name: 'Later', expiresAt: day(110), createdAt: day(50), scopes: ['me:read', 'orgs:read'] });
  await give({ name: 'last', expiresAt: day(114), createdAt: day(50) });
  await give({ name: 'ended', expiresAt: NOW });
  await give({ name: 'erp ended', expiresAt: day(9) });
  await revoke(await give({ name: 'Erp revoked', scopes: ['orgs:read'] }));
  await revoke(await give({ name: 'revoked, too', expiresAt: day(101) }, bo));
  await give({ name: 'ERP of a disabled user' }, gone);
  await give({ name: '%_\\', createdAt: day(50) }, bo);
  await give({ name: 'erp', createdAt: day(50) }, bo);
  await give({ name: 'ERP', createdAt: day(50) });
  await give({ name: 'Sign-in', kind: 'sign-in', expiresAt: day(200) });
  await give({ name: 'ERP of another account' }, eve);
  const rotated = await give({ name: 'rotated', createdAt: day(50) });
  await give({ name: 'successor', createdAt: day(50), replaces: { tokenId: rotated.id, graceMs: DAY } });
  await give({ name: 'replaced', createdAt: day(50), replacedAt: day(99), expiresAt: day(101) });

  const use = async (
    name: string,
    usedAt: number | null,
    refusedAt: number | null,
    parts: Partial<Token> = {},
  ) => {
    const { id } = await give({ name, createdAt: day(0), ...parts });
    if (usedAt !== null) store.usage.used(id, day(usedAt));
    if (refusedAt !== null) store.usage.refused(id, day(refusedAt), 'insufficient_scope');
  };
  await use('Zeta', 9.9, null);
  await use('alpha', 10, null);
  await use('Beta', 10.5, null);
  await use('beta', 99, 98);
  await use('refused for its scope', 97, 97);
  await use('only refused', null, 60, { createdAt: day(50) });
  await use('refused', 60, 70);
  await use('ended and refused', 60, 70, { expiresAt: day(80) });
  await store.usage.flush();
  await store.users.disable(gone.id, aRevocation(), anEvent());

  const entries: TokenDetails[] = [];
  for (const { id } of tokens.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    entries.push((await store.tokens.find(id)) as TokenDetails);
  }
  const finds =
    (...asked: readonly string[]) =>
    ({ name, user }: TokenDetails) =>
      [name, `${user.name} ${user.email}`].some((text) => {
        const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
        return asked.every((begun) => words.some((word) => word.startsWith(begun)));
      });
  const active = (entry: TokenDetails) => isAcceptedIn(tokenState(entry, NOW));
  return {
    ada,
    entries,
    filters: [
      ...(['active', 'being_replaced', 'key_retired', 'revoked', 'expired'] as const).map(
        (state) => [{ state }, (entry: TokenDetails) => tokenState(entry, NOW) === state] as const,
      ),
      [{ scope: '*' }, ({ scopes }) => scopes.includes('*')],
      [{ scope: 'me:read' }, ({ scopes }) => scopes.includes('me:read')],
      [{ creator: emailKey(bo.email) }, (token) => token.userId === bo.id],
      [{ creatorInactive: true }, ({ user }) => user.disabledAt !== null],
      [{ search: 'ERP' }, finds('erp')],
      [{ search: 'CAFÉ' }, finds('café')],
      [{ search: 'bO_@' }, finds('bo')],
      [{ search: 'too' }, finds('too')],
      [{ search: ' user, DIS' }, finds('user', 'dis')],
      [{ search: 'example bo list' }, finds('bo')],
      [{ search: `${entries[3]?.id.toUpperCase()}` }, ({ id }) => id === entries[3]?.id],
      [{ unusedSince: day(10) }, (token) => active(token) && isUnused(token)],
      [{ refusedSinceUse: true }, (token) => active(token) && isRefusedSinceUse(token)],
      [{ neverExpiring: true }, (token) => active(token) && token.expiresAt === null],
      [
        { expiringBefore: day(114) },
        (token) => active(token) && token.expiresAt !== null && token.expiresAt < day(114),
      ],
    ],
  };
}

/** Creates a key that replaces the format's active one. */
async function givenNewKey(store: RecordedRepositories) {
  const key = aSigningKey();
  await store.signingKeys.insert(key, anEvent());
  await store.signingKeys.activate(key.id, START, anEvent());
  return key;
}
