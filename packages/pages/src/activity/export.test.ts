import { anEvent, givenPerson, OPERATOR, PASSWORD, unwrap } from '@gatehouse/domain/testing';
import { setRole } from '@gatehouse/domain/users';
import { describe, expect, test } from 'vitest';
import { aPage, EXPORT, serveExports } from '../../testing/serve-exports.ts';
import { createVisitor } from '../../testing/visitor.ts';

type Scene = Awaited<ReturnType<typeof serveExports>>;

/** The last line of a CSV file. */
const lastLine = (text: string) => text.trimEnd().split('\r\n').at(-1);

/** Asks until an export of the account is answered with this status; a pause of a stream ends with each question. */
async function soon(scene: Scene, status: number) {
  for (let turn = 0; turn < 500; turn += 1) {
    for (const end of scene.pauses.splice(0)) end();
    if ((await scene.export('format=csv', scene.visitor, 'HEAD')).status === status) return status;
  }
  return undefined;
}

describe('an export of the activity', () => {
  test('has the events that the filters select, newest first, and says that it is complete', async () => {
    await using scene = await serveExports();
    await scene.record({ name: 'One' });
    await scene.record({ name: 'Two' });
    const csv = await scene.export('format=csv&kind=organization');
    expect([csv.status, csv.headers.get('content-type'), csv.headers.get('content-disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
      'attachment; filename="activity-2026-01-01.csv"',
    ]);
    const lines = csv.text.split('\r\n');
    expect(lines[0]).toBe(
      '"id","time","actor","email","action","type","subject","address","details","name","reason"',
    );
    expect(lines[1]).toMatch(
      /^"\d+","2026-01-01T[\d:.]+Z","operator","","organization\.created","organization","1","","{""name"":""Two""}","Two",""$/,
    );
    expect(lines.slice(3)).toEqual(['"complete","2 events","","","","","","","","",""', '']);

    const json = await scene.export('format=json&kind=organization');
    const { events, ...end } = JSON.parse(json.text);
    expect(end).toEqual({ count: 2, complete: true });
    expect(events[0]).toMatchObject({
      actor: { kind: 'operator' },
      origin: null,
      action: 'organization.created',
      subject: { type: 'organization', id: '1' },
      details: { name: 'Two' },
    });
  });

  test('of one organization has its events only', async () => {
    await using scene = await serveExports();
    await scene.record({ name: 'One' });
    for (const [subject, count] of [
      ['organization:1', 1],
      ['organization:2', 0],
    ] as const)
      expect(lastLine((await scene.export(`format=csv&subject=${subject}`)).text)).toMatch(
        new RegExp(`^"complete","${count} events"`),
      );
  });

  test('has the name and the reason in columns of their own', async () => {
    await using scene = await serveExports();
    await scene.record({ name: '-Three', reason: '=1+1; left' });
    const { text } = await scene.export('format=csv&kind=organization');
    expect(text.split('\r\n')[1]).toMatch(/,"'-Three","'=1\+1\\u003b left"$/);
  });

  test('is linked from the list, with its filters', async () => {
    await using scene = await serveExports();
    const page = await scene.visitor.get(
      '/settings/api/activity?subject=session:7&user=ada&kind=session&change=signed_in&before=99999',
    );
    expect(page.links.filter(({ text }) => text.startsWith('Export')).map(({ href }) => href)).toEqual([
      `${EXPORT}?subject=session%3A7&user=ada&kind=session&change=signed_in&format=csv`,
      `${EXPORT}?subject=session%3A7&user=ada&kind=session&change=signed_in&format=json`,
    ]);
    expect(page.html).toMatch(
      /<div class="actions"><a [^>]*>Export CSV<\/a><a [^>]*>Export JSON<\/a><\/div>/,
    );
  });

  test('has no formula and no invisible character, in no cell', async () => {
    await using scene = await serveExports();
    for (const name of ['=1+1', 'a;=1+1', 'a\t=1+1', '\u202eevil', 'zero\u200bwidth'])
      await scene.record({ name });
    await scene.world.users.insert(
      { ...scene.people.admin, email: '=ada@acme.example' as never, passwordHash: '' as never },
      ({ id }) => anEvent({ accountId: scene.people.account.id, actor: { kind: 'user', id } }),
    );
    for (const format of ['csv', 'json']) {
      const { text } = await scene.export(`format=${format}`);
      expect(text).not.toMatch(/[\t\u202a-\u202e\u200b]/);
      expect(text).toContain('=ada@acme.example');
      if (format === 'csv') expect(text).not.toMatch(/;|(?:^|,)"[=+\-@]/m);
    }
  });

  test('is of one’s own account, for its admins', async () => {
    await using scene = await serveExports();
    await scene.record({ name: 'Secret' });
    const other = await scene.otherAdmin();
    for (const query of ['format=json', 'format=json&subject=organization:1']) {
      const theirs = await scene.export(query, other);
      expect([theirs.status, theirs.text.includes('Secret')]).toEqual([200, false]);
    }
    const member = await scene.signedIn({ email: 'ben@acme.example', password: PASSWORD });
    expect((await scene.export('format=csv', member)).status).toBe(403);
    const visitor = await scene.export('format=csv', createVisitor(scene.url));
    expect([visitor.status, visitor.headers.get('location')?.startsWith('/sign-in')]).toEqual([303, true]);
  });

  test('is not begun by a page of another site', async () => {
    await using scene = await serveExports();
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await scene.visitor.ask(`${EXPORT}?format=csv`, { headers })).status).toBe(400);
  });

  test.each(['kind=key', 'change=x', 'user=eve', 'from=x', 'subject=organization:x'])(
    'is not of other events than were asked for: %s',
    async (query) => {
      await using scene = await serveExports();
      const { status, headers } = await scene.export(`format=csv&${query}`);
      expect([status, headers.get('location')]).toEqual([303, `/settings/api/activity?format=csv&${query}`]);
      expect((await scene.export('format=xml')).status).toBe(404);
    },
  );

  test('has at most 100,000 events, and says so', async () => {
    const page = aPage(1000);
    await using scene = await serveExports(async function* () {
      for (let count = 0; count < 101; count += 1) yield page;
    });
    const { text } = await scene.export();
    expect(text.split('\r\n').length).toBe(100_000 + 3);
    expect(lastLine(text)).toMatch(/^"cut","100000 events","An export has at most 100000 events/);
  });

  test('takes at most five minutes, and says so', async () => {
    await using scene = await serveExports(async function* () {
      for (let count = 0; count < 3; count += 1) {
        yield aPage(1);
        scene.world.clock.advance(150_000);
      }
    });
    expect(JSON.parse((await scene.export('format=json')).text)).toMatchObject({
      count: 2,
      complete: false,
      cut: expect.stringContaining('5 minutes'),
    });
  });

  test('ends when its reader is no longer an admin, and says so', async () => {
    await using scene = await serveExports(async function* () {
      yield aPage(1);
      unwrap(await setRole(scene.world)(OPERATOR, { email: scene.people.admin.email, role: 'member' }));
      yield aPage(1);
      yield aPage(1);
    });
    // The last admin of an account stays one.
    await givenPerson(scene.world, { accountId: scene.people.account.id, email: 'cy@acme.example' });
    expect(lastLine((await scene.export()).text)).toMatch(/^"cut","2 events","The session ended/);
  });

  test('ends when the server is stopped, and says so', async () => {
    await using scene = await serveExports(async function* () {
      yield aPage(1);
      scene.lifecycle.isDraining = true;
      yield aPage(1);
    });
    expect(lastLine((await scene.export()).text)).toMatch(/^"cut","1 events","The server was stopped/);
  });

  test('that fails on its way has no end, so that the browser reports it', async () => {
    await using scene = await serveExports(async function* () {
      yield aPage(1);
      throw new Error('secret details');
    });
    await expect(scene.export()).rejects.toThrow();
    expect(scene.entries().at(-1)).toMatchObject({ msg: 'an export of the activity failed' });
  });

  test('runs once at a time in an account, and one that ended makes room', async () => {
    await using scene = await serveExports();
    await scene.recordMuch();
    const { connection, head } = await scene.openUnread();
    using _open = connection;
    expect(head).toBe('HTTP/1.1 200 OK');
    const busy = await scene.export();
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '10']);
    expect(busy.text).toContain('An account runs one export at a time');
    expect((await scene.export('format=csv', await scene.otherAdmin())).status).toBe(200);
    connection.socket.destroy();
    expect(await soon(scene, 200)).toBe(200);
  });

  test('whose reader reads nothing for 30 seconds ends, and makes room', async () => {
    await using scene = await serveExports();
    await scene.recordMuch();
    using open = (await scene.openUnread()).connection;
    expect(await soonWaiting(scene)).toBe(true);
    scene.world.clock.advance(29_999);
    for (const end of scene.pauses.splice(0)) end();
    expect(await soonWaiting(scene)).toBe(true);
    expect((await scene.export()).status).toBe(503);
    scene.world.clock.advance(1);
    expect(await soon(scene, 200)).toBe(200);
    expect(open.socket.isPaused()).toBe(true);
  });

  test('is one of four at once', async () => {
    await using scene = await serveExports();
    using open = new DisposableStack();
    const admins = [];
    for (let index = 0; index < 4; index += 1) {
      const admin = await scene.otherAdmin(`eve${index}@initech.example`);
      await scene.recordMuch(admin.accountId);
      admins.push(admin);
    }
    for (const admin of admins) open.use((await scene.openUnread(admin)).connection);
    expect((await scene.export()).status).toBe(503);
  });
});

/** Waits until the stream waits for its reader. */
async function soonWaiting({ pauses }: Scene): Promise<boolean> {
  for (let turn = 0; pauses.length === 0 && turn < 5000; turn += 1)
    await new Promise((resolve) => setImmediate(resolve));
  return pauses.length > 0;
}
