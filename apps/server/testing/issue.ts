import type { Scope } from '@gatehouse/domain/access';
import type { Expiry, TokenFormat } from '@gatehouse/domain/tokens';
import { done } from './done.ts';
import { OPERATOR, type ServedPostgres } from './serve-postgres.ts';

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
  const admin = done(await actAs(demo.admin.email, OPERATOR));
  serial += 1;
  return done(await issueToken(admin, { name: `Token ${serial}`, format, scopes, expiry }));
}
