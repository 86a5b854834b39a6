import type { AuditEvent } from '@gatehouse/domain/audit';
import { BUILT_IN, createCatalog } from '@gatehouse/domain/resources';
import { anEvent, givenAccount, inPerson, OPERATOR, PASSWORD, unwrap } from '@gatehouse/domain/testing';
import { issueToken, revokeToken, rotateToken, updateToken } from '@gatehouse/domain/tokens';
import { actAs, setRole } from '@gatehouse/domain/users';
import { describe, expect, test } from 'vitest';
import { NAUGHTY_TEXTS } from '../testing/naughty-texts.ts';
import { servePages } from '../testing/serve-pages.ts';
import { SHIFT_NOTES } from '../testing/shift-notes.ts';
import type { Page } from '../testing/visitor.ts';

const PATH = '/settings/api/activity';

/** The text of each row, without exact times. */
const rows = ({ html }: Page) =>
  [...html.matchAll(/<tr><t[dh][ >].*?<\/tr>/gs)]
    .filter(([line]) => line.includes('scope="row"'))
    .map(([line]) =>
      line
        .replace(/<span class="visually-hidden">.*?<\/span>/g, '')
        .replace(/<small>/g, ' ')
        .split(/<\/t[dh]>/)
        .map((cell) => cell.replace(/<[^>]*>/g, '').trim())
        .filter((cell) => cell !== '')
        .join(' | '),
    );

async function serveActivity() {
  const scene = await servePages({ resources: [SHIFT_NOTES] });
  const { world, people } = scene;
  const ada = inPerson(people.admin);
  return {
    ...scene,
    ada,
    issue: async (name: string) => {
      const issued = await issueToken(world)(ada, { name, format: 'paseto', scopes: ['*'], expiry: 'never' });
      return unwrap(issued).record;
    },
    /** Records an event of the account. */
    record: (parts: Partial<AuditEvent>) =>
      world.accounts.insert({ name: 'Another', createdAt: world.clock.now() }, () =>
        anEvent({ at: world.clock.now(), accountId: people.account.id, ...parts }),
      ),
    show: async (query = '') => (await scene.signedIn()).get(`${PATH}${query}`),
  };
}

describe('the activity', () => {
  test('says who did what, when and from where, with links to tokens', async () => {
    await using scene = await serveActivity();
    const { world, ada } = scene;
    const { id } = await scene.issue('ERP');
    unwrap(await updateToken(world)(ada, { id, name: 'ERP 2' }));
    unwrap(await rotateToken(world)(ada, { id, graceMs: 0 }));
    unwrap(await revokeToken(world)(ada, { id, reason: 'leaked' }));
    unwrap(await setRole(world)(OPERATOR, { email: 'ben@acme.example', role: 'admin' }));
    const page = await scene.show();
    expect([page.status, page.heading]).toEqual([200, 'Activity']);
    expect(rows(page).slice(0, 6)).toEqual([
      'ada@acme.example signed in | just now | 127.0.0.1',
      'An operator made ben@acme.example an admin | just now | –',
      'ada@acme.example revoked ERP 2 Reason: leaked | just now | test',
      'ada@acme.example rotated ERP 2 and created a new token | just now | test',
      'ada@acme.example renamed ERP 2, formerly ERP | just now | test',
      'ada@acme.example created ERP | just now | test',
    ]);
    expect(page.links.filter(({ href }) => href === id)).toHaveLength(4);
    expect(page.html).not.toMatch(/root|tester/);
  });

  test('says for whom an operator acted, and selects it as done for that user', async () => {
    await using scene = await serveActivity();
    const { world, people } = scene;
    const { id } = await scene.issue('ERP');
    const acting = unwrap(await actAs(world)(people.admin.email, OPERATOR));
    unwrap(await revokeToken(world)(acting, { id, reason: null }));
    for (const query of ['?kind=token', '?kind=token&by=ada@acme.example']) {
      const page = await scene.show(query);
      expect(rows(page)).toEqual([
        'An operator, for ada@acme.example, revoked ERP | just now | –',
        'ada@acme.example created ERP | just now | test',
      ]);
      expect(page.html).not.toContain(OPERATOR.name);
    }
  });

  test('has words for every action, and says of a replaced token which one took its place', async () => {
    await using scene = await serveActivity();
    const { id } = await scene.issue('ERP');
    for (const action of createCatalog(BUILT_IN).actions) {
      const [type = ''] = action.split('.');
      await scene.record({
        action,
        subject: { type, id },
        actor: { kind: 'token', id },
        details: { name: 'ERP' },
      });
    }
    const page = await scene.show();
    expect(page.status).toBe(200);
    expect(rows(page)).toContain('The new token replaced ERP when it was first used | just now | –');
    expect(page.html).not.toMatch(/undefined|\[object|signing key|organization|service/);
  });

  test('shows what was done with what an extension has, in its words, and selects it', async () => {
    await using scene = await serveActivity();
    await scene.issue('ERP');
    await scene.record({
      action: 'shift_note.closed',
      subject: { type: 'shift_note', id: '7' },
      details: { organization_id: 1 },
    });
    const shown = rows(await scene.show());
    expect(shown.join()).toMatch(/closed the shift note 7.*created ERP/);
    const selected = rows(await scene.show('?kind=shift_note'));
    expect(selected).toHaveLength(1);
  });

  test('is selected by kind and by person, in a form that writes the address', async () => {
    await using scene = await serveActivity();
    await scene.issue('ERP');
    const page = await scene.show('?kind=&by=');
    const tokens = await page.submit('Apply', { 'Changes to': 'token' });
    expect(rows(tokens)).toEqual(['ada@acme.example created ERP | just now | test']);
    expect(tokens.path).toBe(`${PATH}?by=&kind=token`);
    const ben = await scene.signedIn({ email: 'ben@acme.example', password: PASSWORD });
    expect((await ben.get(PATH)).status).toBe(403);
    expect(rows(await page.submit('Apply', { By: 'BEN@acme.example' }))).toEqual([
      'ben@acme.example signed in | just now | 127.0.0.1',
    ]);
    const none = await page.submit('Apply', { By: 'eve@acme.example' });
    expect([
      none.status,
      none.text.includes('No user of your account has the email eve@acme.example'),
    ]).toEqual([200, true]);
    expect(rows(await none.follow('Show all events')).length).toBeGreaterThan(1);
  });

  test('leads from page to page of fifty, and back to the newest', async () => {
    await using scene = await serveActivity();
    for (let index = 0; index < 60; index += 1) {
      await scene.record({
        action: 'token.revoked',
        subject: { type: 'token', id: `t${index}` },
        details: { name: `T${index}` },
      });
    }
    const first = await scene.show('?kind=token');
    expect([rows(first).length, rows(first)[0]]).toEqual([50, 'An operator revoked T59 | just now | –']);
    const second = await first.follow('Next page');
    expect([rows(second).length, rows(second)[0]]).toEqual([10, 'An operator revoked T9 | just now | –']);
    expect(second.links.some(({ text }) => text === 'Next page')).toBe(false);
    expect(rows(await second.follow('Back to the newest events'))).toEqual(rows(first));
    const beyond = await scene.show('?kind=token&before=1');
    expect(beyond.text).toContain('No older events');
  });

  test.each(['kind=key', 'kind=organization', 'before=0', 'before=x', 'before=9999999999999999', 'by=%00'])(
    'leaves out and names what it does not know: %s',
    async (query) => {
      await using scene = await serveActivity();
      const page = await scene.show(`?${query}`);
      expect([page.status, rows(page).length > 0]).toEqual([200, true]);
      expect(page.text).toContain('and were ignored: ');
    },
  );

  test('is of one’s own account', async () => {
    await using scene = await serveActivity();
    const other = await givenAccount(scene.world, 'Initech');
    await scene.record({
      action: 'token.revoked',
      subject: { type: 'token', id: 'x' },
      accountId: other.id,
      details: { name: 'Foreign' },
    });
    expect((await scene.show()).text).not.toContain('Foreign');
  });

  test('shows names and reasons as text, whatever they hold', async () => {
    await using scene = await serveActivity();
    for (const text of NAUGHTY_TEXTS) {
      await scene.record({
        action: 'token.revoked',
        subject: { type: 'token', id: text },
        details: { name: text, reason: text },
      });
    }
    const visitor = await scene.signedIn();
    const page = await visitor.get(`${PATH}?kind=token`);
    expect([page.status, rows(page).length]).toEqual([200, NAUGHTY_TEXTS.length]);
    expect(page.html).not.toMatch(
      /<script|<img|<svg\/|onerror=alert\(1\)>|[\u200B\u202A-\u202E\u2066-\u2069\uFEFF]/,
    );
    for (const text of NAUGHTY_TEXTS) {
      const odd = await visitor.get(`${PATH}?${new URLSearchParams({ by: text, kind: text, before: text })}`);
      expect([odd.status, odd.heading], text).toEqual([200, 'Activity']);
      expect(odd.html).not.toMatch(/<script|<img|<svg\/|onerror=alert\(1\)>/);
    }
  });
});
