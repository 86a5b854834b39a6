import type { Scope } from '@gatehouse/domain/access';
import { NO_GUARDS } from '@gatehouse/domain/guards';
import { unwrap } from '@gatehouse/domain/testing';
import { type Expiry, issueToken, type TokenFormat } from '@gatehouse/domain/tokens';
import { createUuidTokenIdGenerator } from '@gatehouse/installation';
import { type DemoServer, OPERATOR } from './postgres-server.ts';
import { REGISTERED_CATALOG } from './registered.ts';

interface IssueParts {
  readonly format?: TokenFormat;
  readonly scopes?: readonly Scope[];
  readonly expiry?: Expiry;
}

let serial = 0;

/** Issues an API token of the demo's admin, as a command does where all extensions are installed. */
export async function issue({ container, demo }: DemoServer, parts: IssueParts = {}) {
  const { format = 'paseto', scopes = ['*'], expiry = 'never' } = parts;
  const { authentication, repositories, encryption, useCases } = container.services;
  const admin = unwrap(await useCases.actAs(demo.admin.email, OPERATOR));
  const ids = createUuidTokenIdGenerator();
  const issuing = issueToken({
    ...authentication,
    ...repositories,
    encryption,
    ids,
    guards: NO_GUARDS,
    catalog: REGISTERED_CATALOG,
  });
  serial += 1;
  return unwrap(await issuing(admin, { name: `Token ${serial}`, format, scopes, expiry }));
}
