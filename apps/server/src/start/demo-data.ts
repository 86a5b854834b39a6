import { randomBytes } from 'node:crypto';
import type { Result } from '@gatehouse/domain';
import type { Operator } from '@gatehouse/domain/access';
import type { TokenFormat } from '@gatehouse/domain/tokens';
import type { UseCases } from '@gatehouse/installation';
import type { Demo } from './demo-file.ts';

export interface DemoOptions {
  readonly operator: Operator;
  readonly format: TokenFormat;
  readonly baseUrl: string;
}

const ADMIN = 'ada@acme.example';
const MEMBER = 'ben@acme.example';

/** Fills an empty database by the use cases of the command line. Undefined if there already are accounts. */
export async function createDemo(
  useCases: UseCases,
  { operator, format, baseUrl }: DemoOptions,
): Promise<Demo | undefined> {
  for await (const page of done(await useCases.listAccounts(operator))) {
    if (page.length > 0) return undefined;
  }
  const [adminPassword, memberPassword] = [newPassword(), newPassword()];

  const acme = done(await useCases.createAccount(operator, { name: 'Acme' }));
  const people = [
    { email: ADMIN, name: 'Ada', role: 'admin', password: adminPassword },
    { email: MEMBER, name: 'Ben', role: 'member', password: memberPassword },
  ] as const;
  for (const person of people) done(await useCases.createUser(operator, { accountId: acme.id, ...person }));

  const organizations = [];
  for (const [name, description] of [
    ['Press shop', 'Presses 1 to 12'],
    ['Paint shop', null],
    ['Final assembly', 'Lines A and B'],
  ] as const) {
    const input = { accountId: acme.id, name, description };
    organizations.push(done(await useCases.createOrganization(operator, input)));
  }
  const membersOwn = organizations.slice(0, 1).map(({ id }) => id);
  for (const organizationId of membersOwn) {
    done(await useCases.addMember(operator, { organizationId, email: MEMBER }));
  }

  const admin = done(await useCases.actAs(ADMIN, operator.origin));
  const demoToken = { name: 'Demo', format, scopes: ['*'], expiry: 'never' } as const;
  const token = done(await useCases.issueToken(admin, demoToken));

  const globex = done(await useCases.createAccount(operator, { name: 'Globex' }));
  const assembly = { accountId: globex.id, name: 'Assembly', description: null };
  const foreign = done(await useCases.createOrganization(operator, assembly));

  return {
    base_url: baseUrl,
    account: { id: acme.id, name: acme.name },
    organizations: organizations.map(({ id, name }) => ({ id, name })),
    admin: { email: ADMIN, password: adminPassword },
    member: { email: MEMBER, password: memberPassword, organization_ids: membersOwn },
    token: token.secret,
    other_account: { organization_id: foreign.id },
  };
}

function newPassword(): string {
  return randomBytes(12).toString('base64url');
}

/** Returns the value. In a database that was empty a moment ago, an error is a defect. */
function done<T>(result: Result<T, { readonly code: string }>): T {
  if (!result.ok) throw new Error(`the demo data could not be made: ${result.error.code}`);
  return result.value;
}
