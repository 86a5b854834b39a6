import type { Email } from '../email.ts';
import type { User, UserId } from '../user.ts';

/** A user who is a program, and the person to ask about it. */
export interface ServiceAccount {
  /** The user of kind `service`, who has a role, memberships and tokens as any other. */
  readonly user: User;
  /** The purpose of the service account; null if nothing is said. */
  readonly description: string | null;
  /** The person who answers for it. If that person is not `canAnswer`, the service account has no responsible admin. */
  readonly responsible: User;
  readonly createdBy: ServiceAccountMaker;
}

/** Who made a service account, with the name and the address of that time. */
export type ServiceAccountMaker =
  | Pick<User, 'id' | 'name' | 'email'>
  /** The operator of the installation, who is no user. */
  | { readonly id: null; readonly name: string; readonly email: null };

/** The domain of the texts that stand for the addresses of service accounts. RFC 2606 reserves `invalid`. */
export const SERVICE_DOMAIN = 'service.invalid';

/** The text that a service account has instead of an address. */
export const serviceEmail = (id: UserId) => `${id}@${SERVICE_DOMAIN}` as Email;

/** Whether a user can answer for service accounts of the account: only a person who is an active admin of it can. */
export function canAnswer(user: User | undefined, { accountId }: Pick<User, 'accountId'>): user is User {
  return (
    user !== undefined &&
    user.accountId === accountId &&
    user.kind === 'person' &&
    user.role === 'admin' &&
    user.disabledAt === null
  );
}

/** Whether an active admin answers for the service account. */
export const isAnswered = ({ user, responsible }: Pick<ServiceAccount, 'user' | 'responsible'>) =>
  canAnswer(responsible, user);
