import type { Principal, Scope } from '@gatehouse/domain/access';
import type { TokenFormat } from '@gatehouse/domain/tokens';
import { migrateToLatest } from '@gatehouse/postgres';
import pg from 'pg';
import type { ServerNode, Settings } from '../stage/node.ts';
import { openInstallation, unwrap } from '../stage/store.ts';
import type { KnownFacts } from './requests.ts';

const OPERATOR = { kind: 'operator', name: 'tester', origin: 'test' } as const;
const PASSWORD = 'a heavy press, twice';

/** Two accounts, and tokens of every kind, valid and invalid ones. */
export async function prepare(settings: Settings) {
  await using store = openInstallation(settings);
  await migrateToLatest(store.database);
  unwrap(await store.ensureKeys(OPERATOR));

  async function anAccount(name: string) {
    const { id: accountId } = unwrap(await store.createAccount(OPERATOR, { name }));
    const organization = async (called: string, description: string | null) =>
      unwrap(await store.createOrganization(OPERATOR, { accountId, name: called, description })).id;
    const user = async (called: string, role: 'admin' | 'member') => {
      const email = `${called}@${name.toLowerCase()}.example`;
      const input = { accountId, email, name: called, role, password: PASSWORD };
      return { id: unwrap(await store.createUser(OPERATOR, input)).id, email };
    };
    return { accountId, organization, user };
  }
  let serial = 0;
  async function tokenOf(
    as: Principal,
    parts: { scopes?: readonly Scope[]; format?: TokenFormat; in?: number },
  ) {
    serial += 1;
    const { scopes = ['*'], format = 'paseto', in: lasts } = parts;
    const expiry = lasts === undefined ? 'never' : { in: lasts };
    return unwrap(await store.issueToken(as, { name: `Token ${serial}`, format, scopes, expiry }));
  }

  const acme = await anAccount('Acme');
  const [ada, ben] = [await acme.user('ada', 'admin'), await acme.user('ben', 'member')];
  const [eve, dan] = [await acme.user('eve', 'admin'), await acme.user('dan', 'member')];
  const [shared, closed] = [
    await acme.organization('Press shop', null),
    await acme.organization('Gießerei \u{1f3ed} "<&>"', 'Line 1\nLine 2'),
  ];
  unwrap(await store.addMember(OPERATOR, { organizationId: shared, email: ben.email }));
  const globex = await anAccount('Globex');
  const gus = await globex.user('gus', 'admin');
  const foreign = await globex.organization('Elsewhere', null);
  const [asAda, asEve, asGus] = [
    unwrap(await store.actAs(ada.email, 'test')),
    unwrap(await store.actAs(eve.email, 'test')),
    unwrap(await store.actAs(gus.email, 'test')),
  ];
  const good = [
    await tokenOf(asAda, {}),
    await tokenOf(asAda, { format: 'jwt' }),
    await tokenOf(asAda, { in: 30 * 86_400_000 }),
    await tokenOf(asAda, { scopes: ['orgs:read'] }),
    await tokenOf(asAda, { scopes: ['me:read'] }),
    await tokenOf(asGus, {}),
  ];
  const revoked = await tokenOf(asAda, {});
  unwrap(await store.revokeToken(asAda, { id: revoked.record.id, reason: null }));
  const expired = await tokenOf(asAda, { in: 86_400_000 });
  const ofDisabled = await tokenOf(asEve, {});
  const client = new pg.Client({ connectionString: settings.DATABASE_URL });
  await client.connect();
  await client.query(`update tokens set expires_at = created_at + interval '1 second' where id = $1`, [
    expired.record.id,
  ]);
  await client.query('update users set disabled_at = now() where id in ($1, $2)', [eve.id, dan.id]);
  await client.end();
  return {
    good: good.map(({ secret }) => secret),
    ended: [revoked, expired, ofDisabled].map(({ secret }) => secret),
    member: ben.email,
    people: [ada.email, ben.email, dan.email],
    organizations: [shared, closed, foreign].map(String),
  };
}

/** Facts that a fuzzer needs so that not everything is refused. */
export async function knownFacts(
  { url }: ServerNode,
  prepared: Awaited<ReturnType<typeof prepare>>,
): Promise<KnownFacts> {
  const { good, ended, member, people, organizations } = prepared;
  const signedIn = await fetch(`${url}/api/v1/auth.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: member, password: PASSWORD }),
  });
  const { token } = (await signedIn.json()) as { token: string };
  const [first = ''] = organizations;
  const found = await fetch(`${url}/api/v1/orgs/${first}`, {
    headers: { authorization: `Bearer ${good[0]}` },
  });
  const etag = found.headers.get('etag') ?? '';
  return {
    tokens: { good: [...good, token], ended },
    values: {
      id: [first, first, ...organizations, '999999999'],
      'If-None-Match': [etag, etag, '*', `W/${etag}`, `"x", ${etag}`, '"x"'],
      'X-Request-Id': ['mine', 'x'.repeat(128), 'x'.repeat(129)],
    },
    examples: {
      signIn: people.flatMap((email) => [
        { email, password: PASSWORD },
        { email: email.toUpperCase(), password: `${PASSWORD} ` },
      ]),
    },
  };
}
