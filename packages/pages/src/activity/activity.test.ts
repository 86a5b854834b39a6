import { err } from '@gatehouse/domain';
import type { AuditEvent } from '@gatehouse/domain/audit';
import {
  addMember,
  createOrganization,
  deleteOrganization,
  removeMember,
  updateOrganization,
} from '@gatehouse/domain/organizations';
import { BUILT_IN, createCatalog } from '@gatehouse/domain/resources';
import {
  anEvent,
  givenAccount,
  givenOrganization,
  inPerson,
  OPERATOR,
  PASSWORD,
  unwrap,
} from '@gatehouse/domain/testing';
import { type Instant, parseInstant } from '@gatehouse/domain/time';
import { issueToken, revokeToken, rotateToken, updateToken } from '@gatehouse/domain/tokens';
import { actAs, setRole } from '@gatehouse/domain/users';
import { describe, expect, test } from 'vitest';
import { NAUGHTY_TEXTS } from '../../testing/naughty-texts.ts';
import { servePages } from '../../testing/serve-pages.ts';
import { SHIFT_NOTES } from '../../testing/shift-notes.ts';
import type { Page } from '../../testing/visitor.ts';
import { selectableIn } from './selectable.ts';

const PATH = '/settings/api/activity';

/** The text of each row, without exact times. */
const rows = ({ html }: Page) =>
  [...html.matchAll(/<tr><t[dh][ >].*?<\/tr>/gs)]
    .filter(([line]) => line.includes('scope="row"'))
    .map(([line]) =>
      line
        .replace(/<span class="visually-hidden">.*?<\/span>/g, '')
        .replace(/<time.*?<\/time>/g, '')
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
      'ada@acme.example revoked the token ERP 2 Reason: leaked | just now | test',
      'ada@acme.example rotated the token ERP 2  New token | just now | test',
      'ada@acme.example renamed the token ERP to ERP 2 | just now | test',
      'ada@acme.example created the token ERP | just now | test',
    ]);
    expect(page.links.filter(({ href }) => href === id)).toHaveLength(4);
    expect(page.html).not.toMatch(/root|tester/);
  });

  test('shows the exact time of each event, and the relative one', async () => {
    await using scene = await serveActivity();
    await scene.record({ at: parseInstant('2025-11-28T21:32:05Z') as Instant, action: 'account.renamed' });
    const page = await scene.show('?to=2025-11-28');
    expect(page.html).toContain(
      '<time datetime="2025-11-28T21:32:05.000Z">28 Nov 2025, 21:32 UTC</time> <small>33 days ago</small>',
    );
  });

  test('says for whom an operator acted, and selects it as done for that user', async () => {
    await using scene = await serveActivity();
    const { world, people } = scene;
    const { id } = await scene.issue('ERP');
    const acting = unwrap(await actAs(world)(people.admin.email, OPERATOR));
    unwrap(await revokeToken(world)(acting, { id, reason: null }));
    for (const query of ['?kind=token', '?kind=token&user=ada@acme.example']) {
      const page = await scene.show(query);
      expect(rows(page)).toEqual([
        'An operator for ada@acme.example revoked the token ERP | just now | –',
        'ada@acme.example created the token ERP | just now | test',
      ]);
      expect(page.html).not.toContain(OPERATOR.name);
    }
  });

  test('names an organization also after its end, its members and its former name', async () => {
    await using scene = await serveActivity();
    const { world, people } = scene;
    const input = { accountId: people.account.id, name: 'Sales', description: null };
    const { id } = unwrap(await createOrganization(world)(OPERATOR, input));
    const member = { organizationId: id, user: { email: 'ben@acme.example' } };
    unwrap(await addMember(world)(OPERATOR, member));
    unwrap(await removeMember(world)(OPERATOR, member));
    unwrap(await updateOrganization(world)(OPERATOR, { id, name: 'Shop' }));
    unwrap(await updateOrganization(world)(OPERATOR, { id, name: 'Shop', description: 'Sells' }));
    unwrap(await deleteOrganization(world)(OPERATOR, id));
    await scene.record({
      action: 'organization.member_added',
      subject: { type: 'organization', id: '5' },
      details: { email: 'ben@acme.example' },
    });
    const page = await scene.show('?kind=organization');
    expect(rows(page).map((row) => row.split(' | ')[0])).toEqual([
      'An operator added ben@acme.example to organization 5',
      'An operator deleted the organization Shop',
      'An operator changed the organization Shop',
      'An operator renamed the organization Sales to Shop',
      'An operator removed ben@acme.example from the organization Sales',
      'An operator added ben@acme.example to the organization Sales',
      'An operator created the organization Sales',
    ]);
  });

  test('tells a token’s new description from a new name', async () => {
    await using scene = await serveActivity();
    const { id } = await scene.issue('ERP');
    unwrap(await updateToken(scene.world)(scene.ada, { id, description: 'Nightly' }));
    expect(rows(await scene.show('?change=renamed'))).toEqual([
      'ada@acme.example changed the description of the token ERP | just now | test',
    ]);
    expect((await scene.show()).text).toContain('Invitations');
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
    const newest = await scene.show();
    const pages = [newest, await newest.follow('Next page')];
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    expect(pages.flatMap(rows)).toContain(
      'The new token replaced the token ERP when it was first used | just now | –',
    );
    expect(pages.map(({ html }) => html).join()).not.toMatch(
      /undefined|\[object|signing key|the service (?!account)|extension/,
    );
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
    expect(shown.join()).toMatch(/closed the shift note 7.*created the token ERP/);
    const selected = rows(await scene.show('?kind=shift_note'));
    expect(selected).toHaveLength(1);
  });

  test('is selected by type, user and token, in a form that writes the address', async () => {
    await using scene = await serveActivity();
    await scene.issue('ERP');
    await scene.issue('Wiki');
    const page = await scene.show('?kind=&user=');
    const tokens = await page.submit('Apply', { Type: 'token', Token: 'er' });
    expect(rows(tokens)).toEqual(['ada@acme.example created the token ERP | just now | test']);
    expect(tokens.path).toBe(`${PATH}?user=&token=er&from=&to=&kind=token&change=`);
    const ben = await scene.signedIn({ email: 'ben@acme.example', password: PASSWORD });
    expect((await ben.get(PATH)).status).toBe(403);
    for (const user of ['BEN@acme', 'ben@acme.example'])
      expect(rows(await page.submit('Apply', { User: user }))).toEqual([
        'ben@acme.example signed in | just now | 127.0.0.1',
      ]);
    const none = await page.submit('Apply', { User: 'eve' });
    expect([none.status, none.text.includes('No user has “eve” in the name or email.')]).toEqual([200, true]);
    expect(rows(await none.follow('Show all events')).length).toBeGreaterThan(1);
    expect((await page.submit('Apply', { Token: 'CRM' })).text).toContain('No token has “CRM” in its name.');
  });

  test('is selected by what was done, also with a type, and on each page and in each export', async () => {
    await using scene = await serveActivity();
    const { world, ada } = scene;
    const { id } = await scene.issue('ERP');
    await scene.issue('Wiki');
    unwrap(await updateToken(world)(ada, { id, name: 'ERP 2' }));
    unwrap(await revokeToken(world)(ada, { id, reason: null }));
    await scene.record({
      action: 'invitation.revoked',
      subject: { type: 'invitation', id: '1' },
      details: { email: 'cy@acme.example' },
    });
    const revoked = await (await scene.show()).submit('Apply', { Change: 'revoked' });
    expect(rows(revoked).map((row) => row.split(' | ')[0])).toEqual([
      'An operator revoked the invitation of cy@acme.example',
      'ada@acme.example revoked the token ERP 2',
    ]);
    expect(revoked.links.filter(({ href }) => href.includes('change=revoked'))).toHaveLength(2);
    expect(rows(await revoked.submit('Apply', { Type: 'token' }))).toHaveLength(1);
    expect(rows(await revoked.submit('Apply', { Type: 'organization' }))).toEqual([]);
    expect(rows(await scene.show('?change=renamed'))).toHaveLength(1);
    await scene.record({ action: 'shift_note.closed', subject: { type: 'shift_note', id: '7' } });
    expect(rows(await scene.show('?change=closed'))).toHaveLength(1);
    for (let index = 0; index < 60; index += 1)
      await scene.record({ action: 'token.revoked', subject: { type: 'token', id: `t${index}` } });
    const next = await (await scene.show('?change=revoked')).follow('Next page');
    expect(rows(next)).toHaveLength(12);
  });

  test('has each change of an account in its filter, in words', () => {
    const { kinds, changes } = selectableIn(createCatalog(BUILT_IN));
    const { actions } = createCatalog(BUILT_IN);
    const ofAccounts = actions.filter((action) => kinds.has(action.split('.')[0] ?? ''));
    expect([...changes.values()].flatMap((each) => each.actions).toSorted()).toEqual(ofAccounts.toSorted());
    expect([...changes.values()].map(({ label }) => label)).toEqual([
      'Created',
      'Renamed or edited',
      'Networks changed',
      'Revoked',
      'Rotated',
      'Replaced',
      'Transferred',
      'Deleted',
      'Disabled',
      'Enabled',
      'Role changed',
      'Password changed',
      'Second factor',
      'Token rules changed',
      'Invitation accepted',
      'Identity linked',
      'Identity unlinked',
      'Identity refused',
      'Member added',
      'Member removed',
      'Signed in',
      'Session ended',
      'Suspended',
      'Resumed',
      'Noticed by Gatehouse',
    ]);
  });

  test('is selected by days in UTC, both included', async () => {
    await using scene = await serveActivity();
    const at = (time: string) => parseInstant(time) as Instant;
    for (const [index, time] of [
      '2026-03-01T23:59:59Z',
      '2026-03-02T00:00:00Z',
      '2026-03-03T23:59:59Z',
    ].entries())
      await scene.record({ at: at(time), action: 'organization.created', details: { name: `O${index}` } });
    const created = (query: string) =>
      scene
        .show(`?kind=organization&${query}`)
        .then((page) => rows(page).map((row) => row.match(/O\d/)?.[0]));
    expect(await created('from=2026-03-02')).toEqual(['O2', 'O1']);
    expect(await created('to=2026-03-02')).toEqual(['O1', 'O0']);
    expect(await created('from=2026-03-02&to=2026-03-02')).toEqual(['O1']);
    expect(await created('from=2026-03-03&to=2026-03-02')).toEqual([]);
  });

  test('is that of one organization or user, from its page on, until the filter is removed', async () => {
    await using scene = await serveActivity();
    const { world, people } = scene;
    const { id } = await givenOrganization(world, people.account.id);
    const about = (type: string, subjectId: string, accountId = people.account.id) =>
      scene.record({
        action: `${type}.created` as const,
        subject: { type, id: subjectId },
        accountId,
        details: { name: `${type} ${subjectId} of ${accountId}` },
      });
    const other = await givenAccount(world, 'Initech');
    for (const type of ['organization', 'user'])
      for (const subjectId of [id, people.member.id, 77]) await about(type, String(subjectId));
    await about('organization', String(id), other.id);
    const visitor = await scene.signedIn();
    const pages = [
      [`/settings/organizations/${id}`, 'Changes to this organization', 'organization', id],
      [`/settings/users/${people.member.id}`, 'changes to this user', 'user', people.member.id],
    ] as const;
    for (const [path, link, type, subjectId] of pages) {
      const page = await (await visitor.get(path)).follow(link);
      expect(page.path).toBe(`${PATH}?subject=${type}%3A${subjectId}`);
      expect(rows(page)[0]).toContain(`${type} ${subjectId} of ${people.account.id}`);
      expect(page.text).toContain(`Only changes to the ${type} ${subjectId} are listed.`);
      expect(page.text).not.toMatch(new RegExp(`77 of|of ${other.id}\\b`));
      const filtered = await page.submit('Apply', { Change: 'created' });
      expect(filtered.path).toContain(`subject=${type}%3A${subjectId}`);
      const all = await filtered.follow('Remove this filter');
      expect(all.path).toBe(`${PATH}?change=created`);
      expect(all.text).toContain('77 of');
      expect((await page.follow('Clear search and filters')).path).toBe(PATH);
    }
  });

  test('asks for more of a name that is in the names of many tokens', async () => {
    const tooMany = async () => err({ code: 'too_many_named', of: 'tokens' } as const);
    await using scene = await servePages({ useCases: { listAccountAuditEvents: tooMany } });
    const page = await (await scene.signedIn()).get(`${PATH}?token=door`);
    expect(page.text).toContain('More than 500 tokens have “door” in their names. Enter more of the name.');
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
    expect([rows(first).length, rows(first)[0]]).toEqual([
      50,
      'An operator revoked the token T59 | just now | –',
    ]);
    const second = await first.follow('Next page');
    expect([rows(second).length, rows(second)[0]]).toEqual([
      10,
      'An operator revoked the token T9 | just now | –',
    ]);
    expect(second.links.some(({ text }) => text === 'Next page')).toBe(false);
    expect(rows(await second.follow('Back to the newest events'))).toEqual(rows(first));
    const beyond = await scene.show('?kind=token&before=1');
    expect(beyond.text).toContain('No older events');
  });

  test.each([
    'kind=key',
    'kind=service',
    'change=activated',
    'before=0',
    'before=9999999999999999',
    'user=%00',
    'subject=organization',
    'subject=organization:x',
    'subject=organization:0',
    'subject=user:7:8',
    'subject=token:7',
    'subject=key:7',
    'subject=session:%00',
    'from=x',
    'to=2026-02-30',
  ])('leaves out and names what it does not know: %s', async (query) => {
    await using scene = await serveActivity();
    const page = await scene.show(`?${query}`);
    expect([page.status, rows(page).length > 0]).toEqual([200, true]);
    expect(page.text).toContain('and were ignored: ');
  });

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
      /<script(?! type="module" src="\/assets\/)|<img|<svg\/|onerror=alert\(1\)>|[\u200B\u202A-\u202E\u2066-\u2069\uFEFF]/,
    );
    for (const text of NAUGHTY_TEXTS) {
      const odd = await visitor.get(
        `${PATH}?${new URLSearchParams({ user: text, token: text, kind: text, from: text })}`,
      );
      expect([odd.status, odd.heading], text).toEqual([200, 'Activity']);
      expect(odd.html).not.toMatch(
        /<script(?! type="module" src="\/assets\/)|<img|<svg\/|onerror=alert\(1\)>/,
      );
    }
  });
});
