import { type EmailKey, emailKey, formerEmailKey } from '@gatehouse/domain/users';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** The keys under which a user with this address may be stored. */
export interface EmailKeys {
  readonly key: EmailKey;
  readonly former: EmailKey;
}

export function emailKeysOf(email: string): EmailKeys {
  return { key: emailKey(email), former: formerEmailKey(email) };
}

/** users_email_key_unique */
export function isStoredUnder({ key, former }: EmailKeys): RawBuilder<SqlBool> {
  return sql`users.email_key in (${former}, ${key})`;
}

/** Sorts the user whom `UserRepository.findByEmail` finds first, for a limit of 1. */
export function formerFirst({ former }: EmailKeys): RawBuilder<boolean> {
  return sql`users.email_key <> ${former}`;
}
