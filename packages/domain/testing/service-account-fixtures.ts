import type { Repositories } from '../src/index.ts';
import type { NewServiceAccount, ServiceAccount, User } from '../src/users/index.ts';
import { anEvent, START, unwrap } from './fixtures.ts';

/** Creates a service account for which this admin answers, without storing it. */
export function aServiceAccount(
  { id, accountId }: User,
  parts: Partial<NewServiceAccount> = {},
): NewServiceAccount {
  return {
    accountId,
    name: 'ERP',
    description: null,
    role: 'member',
    responsibleId: id,
    madeBy: { kind: 'user', id },
    createdAt: START,
    ...parts,
  };
}

/** Stores a service account for which this admin answers. */
export async function givenServiceAccount(
  store: Repositories,
  responsible: User,
  parts: Partial<NewServiceAccount> = {},
): Promise<ServiceAccount> {
  return unwrap(await store.serviceAccounts.insert(aServiceAccount(responsible, parts), () => anEvent()));
}
