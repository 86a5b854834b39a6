import type { Instant } from '../time/instant.ts';
import type { PasswordGate, PasswordSignIn } from './break-glass.ts';

/**
 * Whether a password may be used now. While passwords are off, the users of an account whose admins sign in with a
 * provider use none, except on pages while the operator opened it. Until one of its admins has signed in there, an
 * account keeps its passwords, so that a wrong setting locks no one out.
 */
export function mayUsePassword(
  passwordSignIn: PasswordSignIn,
  { providerAdminAt, openUntil }: PasswordGate,
  { at, isOnPage }: { readonly at: Instant; readonly isOnPage: boolean },
): boolean {
  if (passwordSignIn === 'on' || providerAdminAt === null) return true;
  return isOnPage && openUntil !== null && at < openUntil;
}
