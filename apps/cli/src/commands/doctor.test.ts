import { ok, UnavailableFault } from '@gatehouse/domain';
import { type Finding, HEALTH_CHECKS, type HealthReport } from '@gatehouse/domain/health';
import type { ReactionName } from '@gatehouse/domain/reactions';
import type { CredentialId, ServiceName } from '@gatehouse/domain/services';
import type { KeyId } from '@gatehouse/domain/signing-keys';
import {
  anEvent,
  aSigningKey,
  createFakeKeyEncryption,
  givenAccount,
  givenToken,
  givenUser,
  START,
} from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import type { Email, UserId } from '@gatehouse/domain/users';
import type { WebhookId } from '@gatehouse/domain/webhooks';
import { expect, test } from 'vitest';
import { createMemoryCli, type MemoryCli } from '../../testing/memory-cli.ts';

const KEY = 'k4.pid.abc' as KeyId;

/** A healthy store. */
async function givenHealth(): Promise<MemoryCli> {
  const cli = createMemoryCli();
  for (const format of ['paseto', 'jwt'] as const) {
    const key = aSigningKey({ format, state: 'active', activatedAt: START });
    const sealedSecret = await createFakeKeyEncryption().seal(new Uint8Array(32), key.id);
    await cli.store.signingKeys.insert({ ...key, sealedSecret }, anEvent());
  }
  const user = await givenUser(cli.store, (await givenAccount(cli.store)).id);
  await givenToken(cli.store, user, { expiresAt: addMilliseconds(START, 1000) });
  return cli;
}

/** A command line whose health report the test chooses. */
function reporting(report: HealthReport): MemoryCli {
  const cli = createMemoryCli();
  Object.assign(cli.gatehouse, { checkHealth: async () => ok(report) });
  return cli;
}

const found = (...findings: readonly [Finding, ...Finding[]]): HealthReport => [
  { check: 'database', status: 'failed', findings },
];

test('in a healthy installation each check is one line, and the status is 0', async () => {
  const { run, openCount } = await givenHealth();
  const { status, stdout, stderr } = await run(['doctor']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(HEALTH_CHECKS.length);
  for (const line of lines) expect(line).toMatch(/^ok {7}[A-Z].*\.$/);
  expect(openCount()).toBe(0);
});

test('at a terminal long lines are wrapped between words, beside their signs', async () => {
  const { run, store } = await givenHealth();
  await givenToken(store, await givenUser(store, (await givenAccount(store)).id));
  const { stdout } = await run(['doctor'], { columns: 80 });
  expect(stdout).toMatch(
    /^FINDING {2}1 API token never expires\.\n {9}Run `gatehouse token list .*\n {9}\w.*\n {9}\w.* \(--expires-in\)\.$/m,
  );
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

test('a program reads a document', async () => {
  const { run } = reporting([
    { check: 'database', status: 'passed' },
    { check: 'clock', status: 'failed', findings: [{ code: 'clock_skewed', skewMs: -5250 }] },
    {
      check: 'signing_keys',
      status: 'failed',
      findings: [
        { code: 'key_left_staged', keyId: KEY, format: 'jwt', since: START },
        { code: 'master_key_rejected', keyIds: [KEY] },
      ],
    },
    { check: 'master_key', status: 'skipped', because: 'no_master_key' },
    { check: 'usage', status: 'passed', remark: 'no_usage' },
  ]);
  const { status, stdout } = await run(['doctor', '--json']);
  expect(status).toBe(6);
  const skewed =
    "This machine's clock is 5.3 s behind the database's clock, so tokens can expire too early or too late.";
  const staged = `The jwt key ${KEY} was created at 2026-01-01T00:00:00.000Z, but was never activated.`;
  const rejected = `The master key of this machine does not decrypt the signing key ${KEY}.`;
  expect(JSON.parse(stdout)).toEqual({
    ok: false,
    findings: [
      { code: 'clock_skewed', message: skewed, remedy: expect.any(String), skew_ms: -5250 },
      {
        code: 'key_left_staged',
        message: staged,
        remedy: `Run \`gatehouse key activate ${KEY}\`.`,
        key_id: KEY,
        format: 'jwt',
        since: '2026-01-01T00:00:00.000Z',
      },
      { code: 'master_key_rejected', message: rejected, remedy: expect.any(String), key_ids: [KEY] },
    ],
    checks: [
      { check: 'database', status: 'passed', message: 'The database answers.' },
      { check: 'clock', status: 'failed', message: skewed },
      { check: 'signing_keys', status: 'failed', message: `${staged} ${rejected}` },
      {
        check: 'master_key',
        status: 'skipped',
        message: 'Not checked: the master key, because no master key is configured on this machine.',
      },
      { check: 'usage', status: 'passed', message: 'No server has stored a use of a token within a day.' },
    ],
  });
});

const FINDINGS: { readonly [Code in Finding['code']]: Omit<Extract<Finding, { code: Code }>, 'code'> } = {
  reaction_late: { reaction: 'mail' as ReactionName, since: START },
  reaction_not_run: { reaction: 'mail' as ReactionName, since: START },
  reaction_parked: { reaction: 'mail' as ReactionName, parked: 2 },
  mail_server_unusable: { problem: 'no_tls' },
  database_unreachable: { reason: 'the database cannot be reached: ECONNREFUSED' },
  data_folder_exposed: { reason: 'other users can write in /data (mode 0777): run `chmod go-w /data`' },
  database_collation_changed: { database: 'gatehouse', made: '2.31', now: '2.36' },
  database_encoding: { encoding: 'LATIN1', database: 'gatehouse', ownRole: 'gatehouse' },
  database_read_only: { mends: ['alter role gatehouse reset default_transaction_read_only;'] },
  database_search_path: { ownRole: 'gatehouse', mends: ['alter role gatehouse reset search_path;'] },
  database_too_old: { version: '14.9', needed: 15 },
  database_triggers_off: {
    ownRole: 'gatehouse',
    mends: ['alter database gatehouse reset session_replication_role;'],
  },
  schema_behind: {},
  schema_ahead: {},
  extension_behind: { extension: 'work-orders' },
  extension_ahead: { extension: 'work-orders' },
  route_open_unsaid: { extension: 'visits', route: 'GET /api/v1/visits' },
  extension_rows_lost: {
    extension: 'work-orders',
    belongsTo: 'organization',
    count: 2,
    one: 'work order',
    several: 'work orders',
  },
  emails_shared: {
    pairs: [['\u01f0oe@acme.example' as Email, 'J\u030coe@acme.example' as Email]],
    more: true,
  },
  emails_outdated: { emails: ['Straße@acme.example' as Email], more: false },
  clock_skewed: { skewMs: 1001 },
  change_feed_untrusted: { reason: 'the listening connection leads to a standby' },
  database_open_to_public: { database: 'gatehouse', ownRole: 'gatehouse', otherRoles: ['shop'] },
  objects_by_other_roles: {
    database: 'gatehouse',
    schema: 'public',
    ownRole: 'gatehouse',
    otherRoles: ['shop', 'monitoring'],
  },
  unexpected_objects: {
    schema: 'public',
    objects: ['function public.unnest(text[])', 'operator public.=(text,text)'],
  },
  no_active_key: { format: 'jwt' },
  key_left_staged: { keyId: KEY, format: 'jwt', since: START },
  key_due: { keyId: KEY, format: 'jwt', since: START },
  key_retirable: { keyId: KEY, format: 'jwt' },
  master_key_unusable: { reason: '/run/key cannot be read' },
  master_key_rejected: { keyIds: [KEY, KEY] },
  service_credentials_ended: { service: 'orders' as ServiceName },
  service_credential_ends: {
    service: 'orders' as ServiceName,
    credentialId: '019a0000-0000-7000-8000-000000000000' as CredentialId,
    expiresAt: START,
  },
  webhook_gone: { id: 3 as WebhookId, at: START },
  webhook_failing: { id: 3 as WebhookId, since: START },
  webhook_secrets_unreadable: { ids: [3 as WebhookId] },
  second_factors_unreadable: { count: 7, emails: ['ada@acme.example' as Email] },
  service_accounts_unanswered: { named: [{ id: 12 as UserId, name: 'ERP' }], more: true },
  password_open: { email: 'ops@acme.example' as Email, until: START },
  break_glass_without_password: { emails: ['ops@acme.example' as Email], more: true },
  other_identity_refused: { emails: ['ada@acme.example' as Email], more: false },
  demotion_refused: { emails: ['ada@acme.example' as Email], more: false },
  tokens_unused: { days: 90, count: 2, more: false },
  tokens_never_expiring: { count: 1000, more: true },
  tokens_over_policy: { count: 2, more: false },
  tokens_of_disabled_users: { count: 1, more: false },
  tokens_of_unconfirmed_persons: { count: 2, more: false },
  tokens_of_suspended_accounts: { count: 3, more: false },
  usage_behind: { storedAt: START, lagMs: 2500 },
  check_failed: { check: 'usage', reason: 'permission denied' },
};

test.each(Object.entries(FINDINGS))('%s is described in a sentence, with a remedy', async (code, data) => {
  const { run } = reporting(found({ code, ...data } as Finding));
  const { status, stdout } = await run(['doctor']);
  expect(status).toBe(6);
  expect(stdout).toMatch(/^FINDING {2}[A-Z0-9][^\n]*\.\n {9}[^\n]*\.\n$/);
  expect(stdout).not.toMatch(/undefined|\[object|NaN/);
});

test.each([
  [1, false, '1 API token was not used for 90 days.'],
  [2, false, '2 API tokens were not used for 90 days.'],
  [1000, false, '1,000 API tokens were not used for 90 days.'],
  [1000, true, 'More than 1,000 API tokens were not used for 90 days.'],
])('%i tokens, and more: %s', async (count, more, said) => {
  const { run } = reporting(found({ code: 'tokens_unused', days: 90, count, more }));
  expect((await run(['doctor'])).stdout).toContain(`FINDING  ${said}\n`);
});

test.each([
  [['shop'], 'The role shop may'],
  [['a', 'b'], 'The roles a, b may'],
  [['a', 'b', 'c', 'd', 'e', 'f', 'g'], 'The roles a, b, c, d, e and 2 more may'],
])('roles %j that may connect: %s', async ([first = '', ...rest], said) => {
  const access = { database: '"Gate house"', ownRole: 'gatehouse', otherRoles: [first, ...rest] } as const;
  const { run } = reporting(found({ code: 'database_open_to_public', ...access }));
  const { stdout } = await run(['doctor']);
  expect(stdout).toContain(`FINDING  ${said} connect to the database "Gate house",`);
  expect(stdout).toContain(
    '`grant connect on database "Gate house" to gatehouse; revoke connect, temporary on database "Gate house" from public;`',
  );
});

test('a reason is printed without control characters', async () => {
  const { run } = reporting(found({ code: 'database_unreachable', reason: 'red \u001b[31m\nand more' }));
  const { stdout } = await run(['doctor']);
  expect(stdout).not.toContain('\u001b');
  expect(stdout.split('\n')).toHaveLength(3);
});

test('with --quiet only findings are printed: an unavailable database once', async () => {
  const { run, gatehouse } = createMemoryCli();
  Object.assign(gatehouse, {
    checkHealth: async () => {
      throw new UnavailableFault('there is none');
    },
  });
  const { status, stdout, stderr } = await run(['doctor', '--quiet']);
  expect({ status, stderr }).toEqual({ status: 6, stderr: 'error: 1 finding.\n' });
  expect(stdout).toMatch(/^FINDING {2}There is none\.\n {9}[^\n]*\.\n$/);
  const { run: runHealthy } = await givenHealth();
  expect(await runHealthy(['doctor', '--quiet'])).toEqual({ status: 0, stdout: '', stderr: '' });
});
