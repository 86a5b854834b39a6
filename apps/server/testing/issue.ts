import type { Scope } from '@gatehouse/domain/access';
import { unwrap } from '@gatehouse/domain/testing';
import type { Expiry, TokenFormat } from '@gatehouse/domain/tokens';
import { type DemoServer, OPERATOR } from './postgres-server.ts';

interface IssueParts {
  readonly format?: TokenFormat;
  readonly scopes?: readonly Scope[];
  readonly expiry?: Expiry;
}

let serial = 0;

/** Issues an API token of the demo's admin as a command does. */
export async function issue({ container, demo }: DemoServer, parts: IssueParts = {}) {
  const { format = 'paseto', scopes = ['*'], expiry = 'never' } = parts;
  const { actAs, issueToken } = container.services.useCases;
  const admin = unwrap(await actAs(demo.admin.email, OPERATOR));
  serial += 1;
  return unwrap(await issueToken(admin, { name: `Token ${serial}`, format, scopes, expiry }));
}
