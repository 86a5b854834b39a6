import { expect, test } from 'vitest';
import { createProviderScene, givenPerson, OPERATOR, unwrap } from '../../testing/index.ts';
import { armUser, markBreakGlass } from '../break-glass/index.ts';
import { addMilliseconds } from '../time/index.ts';
import { signInsCheck } from './check-sign-ins.ts';

const DAY = 86_400_000;

test('open passwords, other identities, kept admins and accounts without a way in are found', async () => {
  const scene = await createProviderScene({
    roles: { claim: 'groups', rules: [{ value: 'staff', role: 'member' }] },
  });
  const { world, ada, grace, signIn } = scene;
  const codes = async () => {
    const outcome = await signInsCheck.run(world);
    return outcome.status === 'failed' ? outcome.findings.map(({ code }) => code) : outcome.status;
  };
  expect(await codes()).toBe('passed');

  const { until } = unwrap(await armUser(world)(OPERATOR, { email: grace.email, forMs: 5 }));
  expect(await signInsCheck.run(world)).toMatchObject({
    findings: [{ code: 'password_open', email: grace.email, until }],
  });
  world.clock.set(until);
  expect(await codes()).toBe('passed');

  unwrap(await signIn({ subject: 'grace', email: grace.email, roleValues: ['staff'] }));
  unwrap(await signIn({ roleValues: ['staff'] }));
  await signIn({ subject: 'thief' });
  const codesNow = ['other_identity_refused', 'demotion_refused'];
  expect(await codes()).toEqual(codesNow);
  expect(await signInsCheck.run(world)).toMatchObject({
    findings: [{ emails: [ada.email], more: false }, { emails: [ada.email] }],
  });

  const spare = await givenPerson(world, { accountId: ada.accountId, email: 'spare@acme.example' });
  unwrap(await markBreakGlass(world)(OPERATOR, { email: spare.email }));
  world.clock.set(addMilliseconds(until, 8 * DAY));
  // Now another admin is left, so the next sign-in makes the kept admin a member.
  expect(await codes()).toEqual(['demotion_refused']);
  unwrap(await signIn({ roleValues: ['staff'] }));
  expect(await signInsCheck.run(world)).toEqual({ status: 'passed' });
});

test('an account whose admins sign in with a provider, and that has no way in without it, is remarked', async () => {
  const { world, signIn, grace } = await createProviderScene();
  unwrap(await signIn());
  expect(await signInsCheck.run(world)).toEqual({ status: 'passed', remark: 'no_break_glass_admin' });
  unwrap(await markBreakGlass(world)(OPERATOR, { email: grace.email }));
  expect(await signInsCheck.run(world)).toEqual({ status: 'passed' });
});
