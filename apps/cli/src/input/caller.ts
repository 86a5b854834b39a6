import type { Operator, Principal } from '@gatehouse/domain/access';
import type { Cli, Gatehouse } from '../cli.ts';
import { usageError } from '../errors/command-error.ts';
import { unwrap } from '../errors/refusals.ts';

/** The email of `--as` or GATEHOUSE_AS; asked for before anything is opened. */
export function requireActor(as: string | undefined): string {
  if (as !== undefined) return as;
  throw usageError('Say in the name of which admin: --as EMAIL, or set GATEHOUSE_AS.');
}

export async function admin(cli: Cli, gatehouse: Gatehouse, email: string): Promise<Principal> {
  return unwrap(await gatehouse.actAs(email, cli.operator.origin));
}

/** For looking only: the admin's account if one is named, else everything. */
export async function reader(
  cli: Cli,
  gatehouse: Gatehouse,
  as: string | undefined,
): Promise<Principal | Operator> {
  return as === undefined ? cli.operator : admin(cli, gatehouse, as);
}
