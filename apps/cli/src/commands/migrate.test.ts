import { ok } from '@gatehouse/domain';
import type { OrganizationId } from '@gatehouse/domain/organizations';
import { givenAccount, givenOrganization } from '@gatehouse/domain/testing';
import { expect, test, vi } from 'vitest';
import { createMemoryCli } from '../../testing/memory-cli.ts';

test('each extension that was not migrated is named, and the command ends as a fault', async () => {
  const failed = [
    { name: 'shift-notes', error: new Error('division by zero') },
    { name: 'work-orders', error: 'no module' },
  ];
  expect(await createMemoryCli().run(['migrate', '--json'], { migrated: { failed } })).toEqual({
    status: 1,
    stdout: '',
    stderr: [
      'Applied 0001-init.',
      'error: The extension shift-notes was not migrated: division by zero.',
      'The extension work-orders was not migrated: no module.',
      'Everything else is up to date.\n',
    ].join('\n'),
  });
});

test.each([
  [
    1,
    ['shift-notes'],
    '1 live token has the scope *, and now also allows what the new extension shift-notes adds.',
  ],
  [
    12,
    ['a', 'b'],
    '12 live tokens have the scope *, and now also allow what the new extensions a and b add.',
  ],
])('when extensions are installed, %i tokens with all scopes are named', async (count, installed, text) => {
  const { stderr } = await createMemoryCli().run(['migrate'], {
    migrated: { installed, unlimitedTokens: count },
  });
  expect(stderr).toContain(text);
});

test('without such tokens, nothing is said of them', async () => {
  const { stderr } = await createMemoryCli().run(['migrate'], { migrated: { installed: ['shift-notes'] } });
  expect(stderr).toBe('Applied 0001-init.\nThe schema is up to date.\n');
});

test('users whose address is the same in two spellings are named, and others are not', async () => {
  const sharedEmails = [
    { email: 'J\u030coe@acme.example', sharedWith: '\u01f0oe@acme.example' },
    { email: 'stra\u00dfe@acme.example', sharedWith: null },
  ] as never;
  const { status, stderr } = await createMemoryCli().run(['migrate'], { migrated: { sharedEmails } });
  expect([status, stderr]).toEqual([
    0,
    `Applied 0001-init.
J\u030coe@acme.example and \u01f0oe@acme.example are the same address in two spellings. Both users sign in as before; \`gatehouse doctor\` says what to do.
The schema is up to date.
`,
  ]);
});

test('what extensions have of an organization goes with it, and is named', async () => {
  const { run, store, gatehouse } = createMemoryCli();
  const organization = await givenOrganization(store, (await givenAccount(store)).id);
  const { id } = organization;
  const counted = { count: 14, one: 'shift note', several: 'shift notes' };
  const findOrganizationLosses = vi.fn(async (_: unknown, of: OrganizationId) =>
    ok({ organization, members: 0, belongings: of === id ? [counted] : [] }),
  );
  Object.assign(gatehouse, { findOrganizationLosses });
  const { stderr } = await run(['org', 'delete', String(id), '--yes']);
  expect(stderr).toMatch(/which had 0 members and 14 shift notes\.\n$/);
});
