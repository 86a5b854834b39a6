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

/** Fills an empty database by the use cases of the command line. Undefined if there already are accounts. */
export async function createDemo(
  useCases: UseCases,
  { operator, format, baseUrl }: DemoOptions,
): Promise<Demo | undefined> {
  for await (const page of done(await useCases.listAccounts(operator))) {
    if (page.length > 0) return undefined;
  }

  async function createAccount(accountName: string) {
    const { id } = done(await useCases.createAccount(operator, { name: accountName }));
    return {
      account: { id, name: accountName },
      createOrganization: async (name: string, description: string | null) =>
        done(await useCases.createOrganization(operator, { accountId: id, name, description })),
      createUser: async (email: string, name: string, role: Role) => {
        const password = randomBytes(12).toString('base64url');
        done(await useCases.createUser(operator, { accountId: id, email, name, role, password }));
        return { email, password };
      },
    };
  }

  const acme = await createAccount('Acme');
  const admin = await acme.createUser('ada@acme.example', 'Ada', 'admin');
  const member = await acme.createUser('ben@acme.example', 'Ben', 'member');
  const organizations = [
    await acme.createOrganization('Press shop', 'Presses 1 to 12'),
    await acme.createOrganization('Paint shop', null),
    await acme.createOrganization('Final assembly', 'Lines A and B'),
  ] as const;
  const [{ id: organizationId }] = organizations;
  done(await useCases.addMember(operator, { organizationId, email: member.email }));

  const adminCaller = done(await useCases.actAs(admin.email, operator));
  const demoToken = { name: 'Demo', format, scopes: ['*'], expiry: 'never' } as const;
  const token = done(await useCases.issueToken(adminCaller, demoToken));

  const globex = await createAccount('Globex');
  const foreign = await globex.createOrganization('Assembly', null);

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

/** Returns the value. In a database that was empty a moment ago, an error is a defect. */
function done<T>(result: Result<T, { readonly code: string }>): T {
  if (!result.ok) throw new Error(`the demo data could not be made: ${result.error.code}`);
  return result.value;
}
