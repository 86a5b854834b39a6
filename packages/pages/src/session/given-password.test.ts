import { givenPerson, OPERATOR, PASSWORD, unwrap } from '@gatehouse/domain/testing';
import { disableUser, setPassword, setRole } from '@gatehouse/domain/users';
import { describe, expect, test, vi } from 'vitest';
import { serveToken } from '../../testing/serve-token.ts';

type Scene = Awaited<ReturnType<typeof serveToken>>;

const ENDS: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  'is demoted': async ({ world, people: { admin } }) =>
    unwrap(await setRole(world)(OPERATOR, { email: admin.email, role: 'member' })),
  'is disabled': async ({ world, people: { admin } }) =>
    unwrap(await disableUser(world)(OPERATOR, { email: admin.email, reason: null, transferTo: null })),
  'gets a new password': async ({ world, people: { admin } }) =>
    unwrap(await setPassword(world)(OPERATOR, { email: admin.email, password: 'another horse battery' })),
  'ends the session elsewhere': async (scene) => {
    const elsewhere = await (await scene.signedIn()).get('/settings/sessions');
    await elsewhere.submit('End all other sessions');
  },
};

/** A form that makes a secret, and what is typed into it. */
const FORMS = [
  [
    'making a token',
    () => '/settings/api/new',
    'Create token',
    { Name: 'Wiki', 'Read the owner of the token me:read': true },
  ],
  ['rotating one', ({ path }: Scene) => `${path}/rotate`, 'Rotate token', {}],
] as const;

describe.each(FORMS)('%s', (_, pathOf, button, typed) => {
  test.each(
    Object.keys(ENDS).flatMap((end) =>
      (['verified', 'hashed anew'] as const).map((work) => [end, work] as const),
    ),
  )('an admin who %s while the password is being %s gets none', async (end, work) => {
    await using scene = await serveToken('ERP', 'never');
    const { world, people } = scene;
    await givenPerson(world, { accountId: people.account.id, email: 'cy@acme.example' });
    const visitor = await scene.signedIn();
    world.clock.advance(11 * 60_000);
    const page = await visitor.get(pathOf(scene));
    const count = async () => (await world.tokens.list({ now: world.clock.now(), limit: 100 })).length;
    const before = await count();

    const method = work === 'verified' ? 'verify' : 'hash';
    const original = world.passwords[method] as (...input: unknown[]) => Promise<never>;
    vi.spyOn(world.passwords, 'isOutdated').mockReturnValue(work === 'hashed anew');
    vi.spyOn(world.passwords, method).mockImplementationOnce(async (...input: unknown[]) => {
      const worked = await original(...input);
      await ENDS[end]?.(scene);
      return worked;
    });
    const answer = await page.submit(button, { ...typed, Password: PASSWORD });
    expect([(await count()) - before, answer.html.includes('data-token')]).toEqual([0, false]);
    // The new password is compared with what was typed.
    const isWrong = end === 'gets a new password' && work === 'verified';
    const expected = end === 'is demoted' ? 403 : isWrong ? 422 : 401;
    expect([answer.status, answer.heading === 'Sign in']).toEqual([expected, expected === 401]);
  });
});
