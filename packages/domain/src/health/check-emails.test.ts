import { expect, test } from 'vitest';
import type { Email } from '../users/email.ts';
import type { StrayEmail } from '../users/user-repository.ts';
import { emailsCheck } from './check-emails.ts';

const check = (...strays: readonly StrayEmail[]) =>
  emailsCheck.run({ users: { listStrayEmails: async (limit: number) => strays.slice(0, limit) } as never });
const [ONE, OTHER] = ['\u01f0oe@acme.example', 'J\u030coe@acme.example'] as Email[] as [Email, Email];

test('users whose address is another’s are named, and users of an older server', async () => {
  expect(await check()).toEqual({ status: 'passed' });
  expect(await check({ email: ONE, sharedWith: OTHER }, { email: OTHER, sharedWith: null })).toEqual({
    status: 'failed',
    findings: [
      { code: 'emails_shared', pairs: [[ONE, OTHER]], more: false },
      { code: 'emails_outdated', emails: [OTHER], more: false },
    ],
  });
});

test('five are named of many', async () => {
  const many = await check(...Array<StrayEmail>(9).fill({ email: ONE, sharedWith: OTHER }));
  expect(many).toMatchObject({ findings: [{ pairs: { length: 5 }, more: true }] });
});
