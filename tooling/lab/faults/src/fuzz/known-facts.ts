import type { Organization } from '@gatehouse/domain/organizations';
import { addServiceScope, createService, createServiceCredential } from '@gatehouse/domain/services';
import { formatInstant, type Instant } from '@gatehouse/domain/time';
import type { Extension } from '@gatehouse/extension-kit';
import { createCredentialSecrets } from '@gatehouse/installation';
import { migrateInstallation } from '@gatehouse/installation/migrate';
import { openExtensionStore } from '@gatehouse/installation/testing';
import pg from 'pg';
import { adminOf } from '../stage/admin.ts';
import type { ServerNode, Settings } from '../stage/node.ts';
import { OPERATOR, openInstallation, type Store, unwrap } from '../stage/store.ts';
import type { KnownFacts } from './requests.ts';

const PASSWORD = 'a heavy press, twice';

/** Two accounts, valid and invalid tokens of every kind, and the objects that the examples of extensions refer to. */
export async function prepare(settings: Settings, extensions: readonly Extension[]) {
  await using store = openInstallation(settings);
  await migrateInstallation(store.database, extensions);
  unwrap(await store.ensureKeys(OPERATOR));

  async function anAccount(name: string) {
    const { id: accountId } = unwrap(await store.createAccount(OPERATOR, { name }));
    const organization = async (called: string, description: string | null) =>
      unwrap(await store.createOrganization(OPERATOR, { accountId, name: called, description }));
    const user = async (called: string, role: 'admin' | 'member') => {
      const email = `${called}@${name.toLowerCase()}.example`;
      const input = { accountId, email, name: called, role, password: PASSWORD };
      return { id: unwrap(await store.createUser(OPERATOR, input)).id, email };
    };
    return { accountId, organization, user };
  }

  const acme = await anAccount('Acme');
  const [ada, ben] = [await acme.user('ada', 'admin'), await acme.user('ben', 'member')];
  const [eve, dan] = [await acme.user('eve', 'admin'), await acme.user('dan', 'member')];
  const [shared, closed] = [
    await acme.organization('Press shop', null),
    await acme.organization('Gießerei \u{1f3ed} "<&>"', 'Line 1\nLine 2'),
  ];
  unwrap(await store.addMember(OPERATOR, { organizationId: shared.id, user: { email: ben.email } }));
  const globex = await anAccount('Globex');
  const gus = await globex.user('gus', 'admin');
  const foreign = await globex.organization('Elsewhere', null);
  const [asAda, asEve, asGus] = [
    await adminOf(store, ada.email),
    await adminOf(store, eve.email),
    await adminOf(store, gus.email),
  ];
  const credential = await ordersIn(store);
  const good = [
    await asAda.issue({ scopes: ['*', 'orders:read'] }),
    await asAda.issue(),
    await asAda.issue({ format: 'jwt' }),
    await asAda.issue({ lifetimeMs: 30 * 86_400_000 }),
    await asAda.issue({ scopes: ['orgs:read'] }),
    await asAda.issue({ scopes: ['me:read'] }),
    await asGus.issue(),
  ];
  const revoked = await asAda.issue();
  await asAda.revoke(revoked);
  const expired = await asAda.issue({ lifetimeMs: 86_400_000 });
  const ofDisabled = await asEve.issue();
  const client = new pg.Client({ connectionString: settings.DATABASE_URL });
  await client.connect();
  await client.query(`update tokens set expires_at = created_at + interval '1 second' where id = $1`, [
    expired.id,
  ]);
  await client.query('update users set disabled_at = now() where id in ($1, $2)', [eve.id, dan.id]);
  await client.end();
  return {
    credential,
    good: good.map(({ secret }) => secret),
    ids: good.map(({ id }) => id),
    ended: [revoked, expired, ofDisabled].map(({ secret }) => secret),
    member: ben.email,
    people: [ada.email, ben.email, dan.email],
    organizations: [shared, closed, foreign].map(({ id }) => String(id)),
    parameters: await parametersOf(store, extensions, { shared, closed, foreign }),
  };
}

/** Creates the service `orders`, and returns its credential. */
async function ordersIn({ ports }: Store): Promise<string> {
  const all = { ...ports, credentialSecrets: createCredentialSecrets() };
  const input = { name: 'orders', description: null, openTo: 'all' } as const;
  const { name: service } = unwrap(await createService(all)(OPERATOR, input));
  for (const scope of ['orders:read', 'orders:write'])
    unwrap(await addServiceScope(all)(OPERATOR, { scope, label: scope, allows: `May ${scope}.` }));
  const created = await createServiceCredential(all)(OPERATOR, { service, expiry: 'never' });
  if (!created.ok) throw new Error('no credential was created');
  return created.value.secret;
}

/** The path parameters of the extensions' examples by operation and name, the successful example's first. */
async function parametersOf(
  { database }: Store,
  extensions: readonly Extension[],
  places: Readonly<Record<'shared' | 'closed' | 'foreign', Organization>>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const parameters: Record<string, readonly string[]> = {};
  for (const extension of extensions) {
    const store = await openExtensionStore(extension, database);
    const { examples } = await extension.testing();
    for (const [operation, outcomes] of Object.entries(
      await examples({ store, text: 'Press 4 <leaks>', ...places }),
    )) {
      for (const { params = {} } of [outcomes.success ?? {}, ...Object.values(outcomes)]) {
        for (const [name, value] of Object.entries(params)) {
          const key = `${operation}.${name}`;
          parameters[key] = [...(parameters[key] ?? []), String(value)];
        }
      }
    }
  }
  return parameters;
}

/** Facts without which everything that a fuzzer sends would be refused. */
export async function knownFacts(
  { url }: ServerNode,
  prepared: Awaited<ReturnType<typeof prepare>>,
): Promise<KnownFacts> {
  const { credential, good, ids, ended, member, people, organizations, parameters } = prepared;
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
    credential,
    values: {
      ...parameters,
      id: [first, first, ...organizations, '999999999'],
      'listOrgs.cursor': [...organizations, '"x"'].map((key) => Buffer.from(key).toString('base64url')),
      'listOrgs.limit': ['1', '2', '100', '101'],
      'readTokenChanges.nonce': ['k7Zt1RvQ3yWb9aXe', 'x'.repeat(64), 'x'.repeat(65), 'k7Zt1RvQ3yWb9aX+'],
      'verifyScope.scope': ['orders:read', 'orders:write', 'orders:nothing'],
      'If-None-Match': [etag, etag, '*', `W/${etag}`, `"x", ${etag}`, '"x"'],
      'X-Request-Id': ['mine', 'x'.repeat(128), 'x'.repeat(129)],
    },
    examples: {
      refreshTokens: [{ tokens: ['0190a5b0-0000-7000-8000-000000000000'] }],
      introspectToken: [...good, ...ended].flatMap((token) => [
        { token },
        { token, client_address: '203.0.113.7' },
      ]),
      reportTokenUses: ids.map((token) => {
        const entry = { token, count: 3, last_at: formatInstant(Date.now() as Instant) };
        return { uses: [entry], refusals: [{ ...entry, reason: 'insufficient_scope' }] };
      }),
      signIn: people.flatMap((email) => [
        { email, password: PASSWORD },
        { email: email.toUpperCase(), password: `${PASSWORD} ` },
      ]),
    },
  };
}
