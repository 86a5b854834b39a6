import { randomBytes } from 'node:crypto';
import type { Result } from '@gatehouse/domain';
import type { Operator } from '@gatehouse/domain/access';
import type { TokenFormat } from '@gatehouse/domain/tokens';
import type { Role } from '@gatehouse/domain/users';
import type { UseCases } from '@gatehouse/installation';
import type { Demo } from './demo-file.ts';

export interface DemoOptions {
  readonly operator: Operator;
  readonly format: TokenFormat;
  readonly baseUrl: string;
}

/**
 * Creates the data of the demo. If an earlier start was killed while it created the demo, the existing accounts,
 * organizations and users are found by name or email and kept. Their passwords and the token were never shown, so the
 * users get new passwords, and the token is revoked and created again.
 */
export async function createDemo(
  useCases: UseCases,
  { operator, format, baseUrl }: DemoOptions,
): Promise<Demo> {
  async function account(accountName: string) {
    const known = await find(useCases.listAccounts(operator), ({ name }) => name === accountName);
    const { id } = known ?? done(await useCases.createAccount(operator, { name: accountName }));
    return {
      account: { id, name: accountName },
      organization: async (organizationName: string, description: string | null) =>
        (await find(
          useCases.listOrganizations(operator, { accountId: id }),
          ({ name }) => name === organizationName,
        )) ??
        done(
          await useCases.createOrganization(operator, { accountId: id, name: organizationName, description }),
        ),
      user: async (email: string, name: string, role: Role) => {
        const password = randomBytes(12).toString('base64url');
        const known = await useCases.findUser(operator, email);
        if (known.ok) done(await useCases.setPassword(operator, { email, password }));
        else done(await useCases.createUser(operator, { accountId: id, email, name, role, password }));
        return { email, password };
      },
    };
  }

  const acme = await account('Acme');
  const admin = await acme.user('ada@acme.example', 'Ada', 'admin');
  const member = await acme.user('ben@acme.example', 'Ben', 'member');
  const organizations = [
    await acme.organization('Press shop', 'Presses 1 to 12'),
    await acme.organization('Paint shop', null),
    await acme.organization('Final assembly', 'Lines A and B'),
  ] as const;
  const [{ id: organizationId }] = organizations;
  done(await useCases.addMember(operator, { organizationId, user: { email: member.email } }));

  const adminCaller = done(await useCases.actAs(admin.email, operator));
  const demoToken = { name: 'Demo', format, scopes: ['*'], expiry: 'never' } as const;
  const unknown = await find(
    useCases.listTokens(adminCaller, { kind: 'api', state: 'active' }),
    ({ name }) => name === demoToken.name,
  );
  if (unknown !== undefined) {
    done(await useCases.revokeToken(adminCaller, { id: unknown.id, reason: 'the start was interrupted' }));
  }
  const token = done(await useCases.issueToken(adminCaller, demoToken));

  const globex = await account('Globex');
  const foreign = await globex.organization('Assembly', null);

  return {
    base_url: baseUrl,
    account: acme.account,
    organizations: organizations.map(({ id, name }) => ({ id, name })),
    admin,
    member: { ...member, organization_ids: [organizationId] },
    token: token.secret,
    other_account: { organization_id: foreign.id },
  };
}

/** Whether the database has no account. A demo is created only in such a database. */
export async function isEmpty(
  useCases: Pick<UseCases, 'listAccounts'>,
  operator: Operator,
): Promise<boolean> {
  return (await find(useCases.listAccounts(operator), () => true)) === undefined;
}

type Pages<T> = Result<AsyncIterable<readonly T[]>, { readonly code: string }>;

async function find<T>(listed: Promise<Pages<T>>, isIt: (item: T) => boolean): Promise<T | undefined> {
  for await (const page of done(await listed)) {
    const found = page.find(isIt);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns the value of a result. An error here is a bug: no user can change the demo before it is complete, so no use
 * case may fail.
 */
function done<T>(result: Result<T, { readonly code: string }>): T {
  if (!result.ok) throw new Error(`the demo data could not be created: ${result.error.code}`);
  return result.value;
}
