import { givenPerson, givenToken, inPerson, unwrap } from '@gatehouse/domain/testing';
import { revokeToken, type Token } from '@gatehouse/domain/tokens';
import { expect, test } from 'vitest';
import { NAUGHTY_TEXTS } from '../../testing/naughty-texts.ts';
import { BEN, names, PATH, serveList } from '../../testing/serve-list.ts';

const REVOKE = `${PATH}/revoke`;

async function serveThree() {
  const scene = await serveList();
  const tokens = [await scene.give('ERP'), await scene.give('CI'), await scene.give('Wiki')] as const;
  const [erp, ci, wiki] = tokens;
  const revoked = async () =>
    (await scene.world.tokens.findSeveral(tokens.map(({ id }) => id)))
      .filter(({ revocation }) => revocation !== null)
      .map(({ name }) => name);
  const eventsOf = async ({ id }: Token) => {
    const entries = await scene.world.audit.list({ subject: { type: 'token', id }, limit: 9 });
    return entries.filter(({ event }) => event.action === 'token.revoked').map(({ event }) => event);
  };
  const foreign = await givenToken(
    scene.world,
    await givenPerson(scene.world, {
      accountId: scene.people.foreign.accountId,
      email: 'eve@globex.example',
    }),
    { name: 'Foreign' },
  );
  return { ...scene, erp, ci, wiki, foreign, revoked, eventsOf };
}

const asking = (...tokens: readonly Pick<Token, 'id'>[]) =>
  `${REVOKE}?${new URLSearchParams(tokens.map(({ id }): [string, string] => ['id', id]))}`;

test('the selected tokens are listed, asked about once, and revoked together, each with an event', async () => {
  await using scene = await serveThree();
  const asked = await (await scene.list()).submit('Revoke selected', { ERP: true, CI: true });
  expect([asked.status, asked.heading, await scene.revoked()]).toEqual([200, 'Revoke tokens', []]);
  expect(asked.text).toContain('ERP of Ada , never used CI of Ada , never used');
  expect(asked.text).not.toContain('Wiki');
  const done = await asked.submit('Revoke 2 tokens', { Reason: 'left the company' });
  expect([done.path, done.messages, names(done)]).toEqual([
    PATH,
    ['The tokens were revoked. Requests with these tokens are refused from now on.'],
    ['Wiki'],
  ]);
  for (const token of [scene.erp, scene.ci])
    expect(await scene.eventsOf(token)).toMatchObject([
      { actor: { kind: 'user', id: scene.people.admin.id }, details: { reason: 'left the company' } },
    ]);
});

test('tokens that had ended are named, and are not changed', async () => {
  await using scene = await serveThree();
  const visitor = await scene.signedIn();
  await scene.revoke(scene.ci);
  const asked = await visitor.get(asking(scene.erp, scene.ci, scene.wiki));
  expect(asked.text).toContain('Already ended, and not changed: CI , revoked');
  await scene.revoke(scene.wiki);
  const done = await asked.submit('Revoke 2 tokens');
  expect([done.status, done.messages]).toEqual([
    200,
    ['Revoked now: ERP Already ended before, and not changed: Wiki'],
  ]);
  expect(await scene.eventsOf(scene.wiki)).toHaveLength(1);
  const none = await visitor.get(asking(scene.erp, scene.ci, scene.wiki));
  expect(none.text).toContain('Already ended, and not changed: ERP , revoked CI , revoked Wiki , revoked');
  expect(none.forms.map(({ button }) => button)).toEqual(['Sign out']);
});

test('without a selection the page says so', async () => {
  await using scene = await serveThree();
  const page = await (await scene.list()).submit('Revoke selected');
  expect([page.status, page.path]).toEqual([200, `${REVOKE}?`]);
  expect(page.text).toContain('No token is selected');
});

test('a selection with a token of another account is not found, and nothing of it is revoked', async () => {
  await using scene = await serveThree();
  const visitor = await scene.signedIn();
  for (const other of [
    scene.foreign,
    { id: '0190a5b0-0000-7000-8000-000000000000' },
    { id: 'x' },
  ] as Token[]) {
    const shown = await visitor.get(asking(scene.erp, other));
    expect([shown.status, shown.text.includes('Foreign')]).toEqual([404, false]);
    const values = (await visitor.get(asking(scene.erp))).fill('Revoke 1 token');
    values.set('ids', `${values.get('ids')},${other.id}`);
    expect((await visitor.post(REVOKE, values)).status).toBe(404);
  }
  expect(await scene.revoked()).toEqual([]);
  expect(await scene.eventsOf(scene.foreign)).toEqual([]);
});

test('members neither see nor revoke tokens, nor does an admin who was demoted meanwhile', async () => {
  await using scene = await serveThree();
  const member = await scene.signedIn(BEN);
  expect((await member.get(asking(scene.erp))).status).toBe(403);
  await givenPerson(scene.world, { accountId: scene.people.account.id, email: 'second@acme.example' });
  const asked = await (await scene.signedIn()).get(asking(scene.erp, scene.ci));
  const { id } = scene.people.admin;
  const event = { ...(await scene.world.audit.list({ limit: 1 }))[0]?.event, actor: { kind: 'operator' } };
  unwrap(await scene.world.users.setRole(id, 'member', () => event as never));
  expect((await asked.submit('Revoke 2 tokens')).status).toBe(403);
  expect(await scene.revoked()).toEqual([]);
});

test('more tokens than a page of the list has, and a reason that is too long, are refused', async () => {
  await using scene = await serveThree();
  const visitor = await scene.signedIn();
  const many = Array.from({ length: 51 }, (_, index) => ({
    id: `0190a5b0-0000-7000-8000-0000000000${String(index).padStart(2, '0')}`,
  })) as Token[];
  expect((await visitor.get(asking(...many))).status).toBe(400);
  const asked = await visitor.get(asking(scene.erp));
  const again = await asked.submit('Revoke 1 token', { Reason: 'x'.repeat(501) });
  expect([again.status, await scene.revoked()]).toEqual([422, []]);
  expect((await again.submit('Revoke 1 token', { Reason: 'leak' })).path).toBe(PATH);
});

test('a form that is sent after the session’s end comes back with its tokens, and is done when it is sent again', async () => {
  await using scene = await serveThree();
  const asked = await (await scene.signedIn()).get(asking(scene.erp, scene.wiki));
  scene.world.clock.advance(31 * 60_000);
  const signIn = await asked.submit('Revoke 2 tokens', { Reason: 'leak' });
  expect([signIn.status, await scene.revoked()]).toEqual([401, []]);
  const { email } = scene.people.admin;
  const back = await signIn.submit('Sign in', { Email: email, Password: BEN.password });
  expect(back.formWith('Revoke 2 tokens').values.get('reason')).toBe('leak');
  await back.submit('Revoke 2 tokens');
  expect((await scene.revoked()).toSorted()).toEqual(['ERP', 'Wiki']);
});

test.each(NAUGHTY_TEXTS)('the name %j and reason are text', async (text) => {
  await using scene = await serveList();
  const { id } = await scene.give(text);
  const visitor = await scene.signedIn();
  const page = await visitor.get(asking({ id }));
  expect(page.html).not.toMatch(/<script>alert|<img|<svg\/|<b>/);
  unwrap(await revokeToken(scene.world)(inPerson(scene.people.admin), { id, reason: null }));
  expect((await visitor.get(asking({ id }))).html).not.toMatch(/<script>alert|<img|<svg\/|<b>/);
});
