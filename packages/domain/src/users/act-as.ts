import { IN_PERSON, type NotAllowed, type Operator, type Principal } from '../access/index.ts';
import type { Ports } from '../ports.ts';
import { err, ok, type Result } from '../result.ts';
import { isActive } from './user-repository.ts';

/**
 * Finds the admin for whom an operator runs a command. The command has the rights of the admin, and the audit log names
 * the admin and the operator. The error is the same for an unknown user and for a user who is not an active admin.
 */
export function actAs({ users }: Ports<'users'>) {
  return async (email: string, operator: Operator): Promise<Result<Principal, NotAllowed>> => {
    const found = await users.findCredentials(email);
    if (!found || !isActive(found) || found.user.role !== 'admin') return err({ code: 'not_allowed' });
    const { id: userId, accountId, role } = found.user;
    const { name, origin } = operator;
    return ok({ kind: 'user', userId, accountId, role, scopes: IN_PERSON, origin, operator: name });
  };
}
