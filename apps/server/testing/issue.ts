import type { Scope } from '@gatehouse/domain/access';
import type { Expiry, TokenFormat } from '@gatehouse/domain/tokens';
import type { ServedPostgres } from './serve-postgres.ts';

interface IssueParts {
  readonly format?: TokenFormat;
  readonly scopes?: readonly Scope[];
  readonly expiry?: Expiry;
}

let serial = 0;

/** Issues an API token of the demo's admin as a command does. */
export async function issue({ container, demo }: ServedPostgres, parts: IssueParts = {}) {
  const { format = 'paseto', scopes = ['*'], expiry = 'never' } = parts;
  const { actAs, issueToken } = container.services.useCases;
  const admin = await actAs(demo.admin.email, 'test');
  if (!admin.ok) throw new Error(admin.error.code);
  serial += 1;
  const issued = await issueToken(admin.value, { name: `Token ${serial}`, format, scopes, expiry });
  if (!issued.ok) throw new Error(issued.error.code);
  return issued.value;
}
