import type { Email } from '../users/email.ts';
import { emailKey, formerEmailKey, parseEmail } from '../users/email.ts';
import type { Provider } from './provider.ts';

/**
 * Whether the provider may link users by this address. The domain is compared exactly, except for the case of ASCII
 * letters. `emailKey` would be too wide: it makes one domain of straße.example and strasse.example, which can have two
 * owners.
 */
export function linksByEmail({ linkByEmailOf }: Provider, email: string): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return linkByEmailOf.includes(domain.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()));
}

/**
 * Whether two addresses are the same mailbox: equal except for case and Unicode normal form. Users are found by
 * `emailKey`, so that no two users have addresses that look alike; but one who looks alike must not become the other.
 */
export function isSameMailbox(one: string, other: string): boolean {
  return emailKey(one) === emailKey(other) && formerEmailKey(one) === formerEmailKey(other);
}

/** Parses the address that a provider names; undefined if it names none or one that no user can have. */
export function providedEmail(email: string | null): Email | undefined {
  const parsed = email === null ? undefined : parseEmail(email);
  return parsed?.ok ? parsed.value : undefined;
}
