import { none, recordFigures, sized } from '@gatehouse/fault-figures';
import { expect, test } from 'vitest';
import { gatehouse } from '../stage/commands.ts';
import { type Settings, startNode } from '../stage/node.ts';
import { openPopulated, type Population } from '../stage/population.ts';
import { sabotage } from '../stage/sabotage.ts';
import { createVisitor, type Visitor } from '../stage/visitor.ts';

const ORIGIN = 'https://gatehouse.example';
const NEW = '/settings/api/new';
const NODES = 3;
const LIMIT = { timeout: 180_000 };
const SIZE = sized({ short: { posts: 200 }, full: { posts: 1000 } });

/** Servers that are asked in turn, as by a load balancer without stickiness, and an admin who is signed in. */
async function openSite(count: number, more: Settings) {
  await using ending = new AsyncDisposableStack();
  const database = ending.use(await openPopulated());
  const settings = { ...database.settings, PUBLIC_URL: ORIGIN, ...more };
  const nodes = await Promise.all(
    Array.from({ length: count }, async () => ending.use(await startNode(settings))),
  );
  const openVisitor = () => createVisitor({ origin: ORIGIN, urls: nodes.map(({ url }) => url) });
  const visitor = openVisitor();
  await visitor.signIn(database);
  const kept = ending.move();
  return { database, visitor, openVisitor, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

const creation = (visitor: Visitor, name: string) =>
  visitor.form(NEW, NEW, { name, scopes: 'orgs:read', expires: '30d', format: 'paseto' });

/** The names of the admin's tokens. */
async function namesOf({ email, settings }: Population & { readonly settings: Settings }) {
  const listed = await gatehouse(settings, ['token', 'list', '--as', email, '--json']);
  return (JSON.parse(listed) as { name: string }[]).map(({ name }) => name);
}

/** Sends one form many times at once, and counts the outcomes. */
async function sendAtOnce(posts: number, count: number, more: Settings) {
  await using site = await openSite(count, more);
  const { visitor, database } = site;
  const fields = await creation(visitor, 'once');
  const answers = await Promise.all(Array.from({ length: posts }, () => visitor.ask(NEW, { fields })));
  const again = await visitor.ask(NEW, { fields });
  const page = await visitor.ask(again.headers.location ?? '/nowhere');
  const isShown = ({ text }: { readonly text: string }) => text.includes('data-token');
  const others = answers.filter((answer) => !isShown(answer)).map(({ status }) => status);
  return {
    made: (await namesOf(database)).filter((name) => name === 'once').length,
    shown: answers.filter(isShown).length,
    /** Responses that neither lead to the token's page nor refuse because of the load. */
    odd: others.filter((status) => status !== 303 && status !== 503),
    shownAgain: [again, page].filter(isShown).length,
    pageStatus: page.status,
  };
}

test(
  `${SIZE.posts} posts of one form to ${NODES} servers of 2 workers make one token and show it once`,
  LIMIT,
  async () => {
    const { made, shown, odd, shownAgain, pageStatus } = await sendAtOnce(SIZE.posts, NODES, {
      WORKERS: '2',
    });
    recordFigures('P1', [
      { name: 'posts of one form at once', measured: String(SIZE.posts) },
      none('tokens made beyond the first', made - 1),
      none('responses that show it beyond the first', shown - 1),
      none('other responses that neither lead to it nor are 503', odd.length),
      none('pages that show it after a reload', shownAgain),
    ]);
    expect({ made, shown, odd, shownAgain, pageStatus }).toEqual({
      made: 1,
      shown: 1,
      odd: [],
      shownAgain: 0,
      pageStatus: 200,
    });
  },
);

test('make more, and are detected, if the token’s id does not follow from the form', LIMIT, async () => {
  const twin = sabotage(
    { file: '/forms/made-once.ts', find: "hash('sha256', ", replace: "hash('sha256', Math.random() + " },
    // Otherwise the name is taken.
    { file: '/insert-token.ts', find: 'where user_id = ', replace: 'where false and user_id = ' },
  );
  const { made, shown } = await sendAtOnce(20, 1, twin);
  expect(made).toBeGreaterThan(1);
  expect(shown).toBeGreaterThan(1);
});

/** Forgeries that another site can make a browser send. */
const FORGERIES = {
  'another origin': { headers: { origin: 'https://evil.example' } },
  'no origin': { headers: { origin: undefined } },
  'an invented form token': { token: (own) => own.replace(/[^.]+$/, 'A'.repeat(43)) },
  'the form token of another session': { token: (_, ofAnother) => ofAnother },
} as const satisfies Record<string, Forgery>;

interface Forgery {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Makes a form token from the form's own token and the token of the same form in another session. */
  readonly token?: (own: string, ofAnother: string) => string;
}

/** Returns the names of the forgeries that made a token or showed a page. */
async function forgeAll(more: Settings): Promise<readonly string[]> {
  await using site = await openSite(1, more);
  const { visitor, openVisitor, database } = site;
  const other = openVisitor();
  await other.signIn(database);
  for (const [name, { headers = {}, token }] of Object.entries<Forgery>(FORGERIES)) {
    const fields = await creation(visitor, name);
    const others = await creation(other, name);
    const tokenOf = (form: typeof fields) => form.get('form_token') ?? '';
    if (token) fields.set('form_token', token(tokenOf(fields), tokenOf(others)));
    await visitor.ask(NEW, { fields, headers });
  }
  const made = await namesOf(database);
  const thief = openVisitor();
  for (const [name, value] of visitor.cookies) thief.cookies.set(name, changed(value));
  const page = await thief.ask('/settings/password');
  return [
    ...Object.keys(FORGERIES).filter((name) => made.includes(name)),
    ...(page.status === 200 ? ['an invented cookie'] : []),
  ];
}

/** Another secret with the same beginning and end. */
const changed = (secret: string) =>
  secret.slice(0, 20) + [...secret.slice(20, 42)].toReversed().join('') + secret.slice(42);

test('forged cookies, origins and form tokens make nothing', LIMIT, async () => {
  const successes = await forgeAll({});
  recordFigures('P1', [
    { name: 'kinds of forged forms', measured: String(Object.keys(FORGERIES).length + 1) },
    none('accepted', successes.length),
  ]);
  expect(successes).toEqual([]);
});

test.each([
  [
    'origins',
    [
      {
        file: '/pages/src/visit.ts',
        find: ': origin === site.origin,',
        replace: ': true,',
      },
      { file: '/http/src/cross-site.ts', find: 'return from.origin !== own &&', replace: 'return false &&' },
    ],
    ['another origin'],
  ],
  [
    'requests without an origin',
    {
      file: '/pages/src/visit.ts',
      find: "? fetchSite === 'same-origin'",
      replace: '? true',
    },
    ['no origin'],
  ],
  [
    'form tokens',
    {
      file: '/forms/form-token.ts',
      find: 'return one.length === other.length && timingSafeEqual(one, other);',
      replace: 'return one.length === other.length;',
    },
    ['an invented form token', 'the form token of another session'],
  ],
  [
    'the whole secret of a session',
    {
      file: '/installation/src/system-ports.ts',
      find: ".update(secret).digest('hex')",
      replace: ".update(secret.slice(0, 20)).digest('hex')",
    },
    ['an invented cookie'],
  ],
])('are accepted, and detected, if servers do not check %s', LIMIT, async (_, edits, expected) => {
  expect(await forgeAll(sabotage(...[edits].flat()))).toEqual(expected);
});
