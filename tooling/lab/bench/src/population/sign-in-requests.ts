import type { LoadRequest } from '../load/plan.ts';
import { emailOf, PASSWORD } from './directory.ts';

/** Each client has an address of its own, as behind a proxy: one network has at most a share of the queue. */
export const SIGN_IN_SETTINGS = {
  TRUST_PROXY: '127.0.0.1',
  SIGN_IN_ADDRESS_ATTEMPTS: '1000000',
  SIGN_IN_ACCOUNT_FAILURES: '1000000',
};

/** Returns a sign-in of each of the first users, from an address of its own. */
export function signInRequests(users: number): readonly LoadRequest[] {
  return Array.from({ length: users }, (_, index) => ({
    method: 'POST' as const,
    path: '/api/v1/auth.json',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `192.0.2.${index + 1}` },
    body: JSON.stringify({ email: emailOf(index + 1), password: PASSWORD }),
  }));
}
