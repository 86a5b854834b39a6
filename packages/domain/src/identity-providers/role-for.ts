import { err, ok, type Result } from '../result.ts';
import type { Role } from '../users/user.ts';
import type { ProvenPerson } from './proven-person.ts';
import type { Provider } from './provider.ts';

/**
 * Returns the role that the rules of the provider give to the person: the lowest of those that match. Null if the
 * provider has no rules, so that the stored role stays. Values are compared exactly.
 */
export function roleFor(
  { roles }: Pick<Provider, 'roles'>,
  { roleValues }: Pick<ProvenPerson, 'roleValues'>,
): Result<Role | null, 'no_role' | 'roles_left_out'> {
  if (roles === null) return ok(null);
  if (roleValues === 'too-many') return err('roles_left_out');
  const given = roles.rules.filter(({ value }) => roleValues?.includes(value)).map(({ role }) => role);
  if (given.includes('member')) return ok('member');
  return given.includes('admin') ? ok('admin') : err('no_role');
}
