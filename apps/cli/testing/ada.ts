import type { Account } from '@gatehouse/domain/accounts';
import { givenAccount, givenUser } from '@gatehouse/domain/testing';
import type { User } from '@gatehouse/domain/users';
import { createMemoryCli, type MemoryCli } from './memory-cli.ts';

export const AS_ADA = ['--as', 'ada@acme.example'];

/** Creates a command line whose store has one account with the admin Ada. */
export async function givenAda(): Promise<MemoryCli & { readonly acme: Account; readonly ada: User }> {
  const cli = createMemoryCli();
  const acme = await givenAccount(cli.store);
  const ada = await givenUser(cli.store, acme.id, { email: 'ada@acme.example' });
  return { ...cli, acme, ada };
}
