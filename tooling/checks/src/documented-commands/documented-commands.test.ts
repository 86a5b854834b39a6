import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@gatehouse/test-database';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { locationOf } from '../documents.ts';
import { type CommandBlock, commandBlocksOf } from './command-blocks.ts';
import { findInstalledPostgres, startInstalledPostgres } from './installed-postgres.ts';
import { type Machine, openMachine } from './machine.ts';
import { EXTENSION, GIVEN, PLANTED, TAKEN_AWAY } from './restored-database.ts';

/** Pages of docs/operate whose commands another test runs, or that have none. */
const TESTED_ELSEWHERE = [
  'containers.md',
  'kubernetes.md',
  'growing.md',
  'monitoring.md',
  'packages.md',
  'upgrade.md',
];
const pages = readdirSync(locationOf('docs/operate')).filter(
  (file) => file.endsWith('.md') && !TESTED_ELSEWHERE.includes(file),
);
const blocks = ['README.md', ...pages.map((file) => `docs/operate/${file}`)].flatMap(commandBlocksOf);
const covered = new Set<string>();

/** Returns a block by its name. */
function block(name: string): CommandBlock {
  const found = blocks.find((each) => each.name === name);
  if (found === undefined)
    throw new Error(`There is no block "${name}" any more: run the one that took its place`);
  covered.add(name);
  return found;
}

/** Blocks that are not run, and why. */
const NOT_RUN = new Map([
  ['README.md: Work on it 1', 'it runs this test'],
  [
    'docs/operate/verifiers.md: Clocks 1',
    'a line of chrony’s configuration, which changes the clock of a machine',
  ],
  ['README.md: Start 2', 'tooling/try-verifier/src/try-verifier.test.ts runs it'],
  [
    'docs/operate/embedded-database.md: As root 1',
    'it runs as a user of the machine: its syntax is checked here, and its purpose in another-users-folder.test.ts',
  ],
  [
    'docs/operate/database-tls.md: TLS to the database 1',
    'it names a database of another machine: its syntax is checked',
  ],
  ['docs/operate/back-up.md: Back up 2', 'it names a database of another machine: its syntax is checked'],
  [
    'docs/operate/mail.md: Set it up 1',
    'its settings are tested in apps/server/src/composition/mail.test.ts',
  ],
  [
    'docs/operate/mail.md: Set it up 2',
    'the form of a URL is tested in packages/mail/src/mail-server.test.ts',
  ],
  ['docs/operate/mail.md: Try it 1', 'it needs a mail server: its syntax is checked'],
  ['docs/operate/install.md: As a service 1', 'it makes a user of the machine: its syntax is checked'],
  ['docs/operate/install.md: As a service 3', 'it starts a service of the machine: its syntax is checked'],
  [
    'docs/operate/install.md: Upgrade the service 1',
    'it restarts a service of the machine: its syntax is checked',
  ],
  ['docs/operate/patroni.md: Set it up 1', 'it configures etcd on three machines'],
]);

const has = (program: string) => spawnSync('which', [program]).status === 0;
const postgres = findInstalledPostgres();
if (postgres === undefined) {
  console.warn(
    'Documented commands on an own PostgreSQL do not run: none is installed in /usr/lib/postgresql',
  );
}
if (!has('psql')) console.warn('The documented psql does not run: it is not installed');
if (!has('systemd-analyze')) console.warn('The documented unit is not verified: there is no systemd-analyze');

/** Starts a receiver of webhooks, and returns its address. */
async function openReceiver(): Promise<string> {
  const receiver = createServer((request, response) => request.resume().on('end', () => response.end()));
  onTestFinished(() => void receiver.close());
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
}

function accessOf(file: string) {
  const { uid, gid, mode } = statSync(file);
  return { uid, gid, mode };
}

const ok = { status: 0, output: expect.any(String) };

describe('on a machine with nothing but the checkout, the documents', () => {
  let machine: Machine;
  let port: number;
  let opsPort: number;
  const ready = () =>
    expect
      .poll(() => fetch(`http://127.0.0.1:${opsPort}/ready`).then(({ status }) => status, String), {
        timeout: 120_000,
        interval: 200,
      })
      .toBe(200);
  beforeAll(async () => {
    [port = 0, opsPort = 0] = await freePorts(2);
    const opened = { WEBHOOK_NETWORKS: '127.0.0.0/8', WEBHOOK_HTTP: 'allow' };
    machine = openMachine({ PORT: String(port), OPS_PORT: String(opsPort), ...opened });
  }, 120_000);
  afterAll(() => machine?.remove(), 120_000);

  const [start, use, psql, work] = [
    block('README.md: Start 1'),
    block('README.md: Use it 1'),
    block('docs/operate/embedded-database.md: Open it with psql 1'),
    block('docs/operate/regular-work.md: Regular work 1'),
  ];
  const auditing = block('docs/operate/audit-log.md: The audit log 1');
  const auditPruning = block('docs/operate/audit-log.md: Delete old events 1');
  const reactions = block('docs/operate/reactions.md: Look at them 1');
  const webhooks = block('docs/operate/webhooks.md: If a receiver fails 1');
  const rotation = block('docs/operate/keys.md: Replace a signing key 1');
  const retirement = block('docs/operate/keys.md: Replace a signing key 2');
  const rewrap = block('docs/operate/keys.md: Replace the master key 1');
  const jwt = block('README.md: Which tokens 1');
  const emergencies = [
    block('docs/operate/passwords-off.md: Turn passwords off 1'),
    block('docs/operate/passwords-off.md: The provider is away 1'),
    block('docs/operate/passwords-off.md: The provider is away 2'),
  ];
  const address = block('docs/operate/pages.md: Pages for browsers 1');
  const origins = block('docs/operate/pages.md: Requests from pages of other sites 1');

  test('start a server, use it, and look after it', async () => {
    const server = machine.start(start.text);
    try {
      await ready();
      const used = await machine.run(use.text.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`));
      expect(used).toEqual(ok);
      expect(used.output).toContain('"id":1');
      if (has('psql')) {
        expect(await machine.run(psql.text, 'select count(*) from tokens;\n')).toEqual(ok);
      }
      const { output } = await machine.run(`${rotation.text}\n./gatehouse key list --json`);
      const keys = JSON.parse(output.slice(output.indexOf('\n[') + 1, output.lastIndexOf(']') + 1));
      const former = keys.find((key: { state: string }) => key.state === 'verify-only');
      // As documented, tokens that the old key signed are still valid.
      expect(await machine.run(retirement.text.replace('OLD_ID', `${former.id} --yes`))).toMatchObject({
        status: 5,
      });
      expect(await machine.run(rewrap.text)).toEqual(ok);
      const statuses = await machine.run(`set +e\n${work.text.replaceAll(/ +#.*$/gm, '; echo "status $?"')}`);
      expect(statuses.output.match(/status \d+/g)).toEqual([
        expect.stringMatching(/status [06]/),
        expect.stringMatching(/status [06]/),
        'status 0',
        'status 0',
      ]);
      for (const { text } of emergencies) {
        const unattended = text.replaceAll(/user (create|set-password) .*$/gm, '$& --password-stdin');
        expect(await machine.run(unattended, 'seven green teapots\n')).toEqual(ok);
      }
      expect(await machine.run(auditing.text)).toEqual(ok);
      expect(await machine.run(auditPruning.text)).toEqual(ok);
      expect(await machine.run(reactions.text)).toEqual(ok);
      const url = await openReceiver();
      expect(await machine.run(`./gatehouse webhook create ${url} --account 1`)).toEqual(ok);
      expect(await machine.run(webhooks.text)).toEqual(ok);
    } finally {
      await server.stop();
    }
  }, 400_000);

  test('change the format of tokens, and show the pages at another address', async () => {
    const server = machine.start(`${address.text}\n${origins.text}\n${jwt.text}`);
    try {
      await ready();
      expect(server.output()).toMatch(/eyJ/);
      const statusAt = (host: string) =>
        new Promise((resolve, reject) => {
          const asked = get({ port, path: '/sign-in', headers: { host } }, (response) => {
            response.resume();
            resolve(response.statusCode);
          });
          asked.once('error', reject);
        });
      expect([await statusAt('gatehouse.example'), await statusAt('other.example')]).toEqual([200, 421]);
    } finally {
      await server.stop();
    }
  }, 120_000);
});

describe.skipIf(postgres === undefined)('beside a PostgreSQL, the documents', () => {
  let machine: Machine;
  let server: Awaited<ReturnType<typeof startInstalledPostgres>>;
  const installation = block('README.md: Run it for real 1');
  const password = block('docs/operate/database.md: The password 1');
  const backup = block('docs/operate/back-up.md: Back up 1');
  const restore = block('docs/operate/restore.md: Restore the database 1');
  const reapplying = block('docs/operate/restore.md: Repeat the revocations since the backup 1');
  const closing = block('docs/operate/database-roles.md: Keep them out 1');
  const inFile = block('docs/operate/keys.md: On several machines 1');
  const ofService = block('docs/operate/keys.md: With the service of systemd 1');
  const given = block('docs/operate/keys.md: Where the command cannot replace it 1');
  const here = ({ text }: CommandBlock) => text.replaceAll('127.0.0.1:5432', `127.0.0.1:${server.port}`);
  const asSuperuser = (statements: string) =>
    machine.run(
      `sudo -u postgres psql --quiet --tuples-only --no-align gatehouse <<'END'\n${statements}\nEND`,
    );
  beforeAll(async () => {
    machine = openMachine({});
    server = await startInstalledPostgres(postgres ?? '');
    machine.addProgram('sudo', server.sudo);
  }, 120_000);
  afterAll(() => {
    server?.stop();
    machine?.remove();
  }, 120_000);

  test('install, back up, restore, and replace the master key', async () => {
    expect(await machine.run(here(installation), 'secret\nsecret\n')).toEqual(ok);
    expect(await machine.run('./gatehouse key create --format paseto')).toEqual(ok);
    // Without a terminal, psql reads the answers to its questions from the same input.
    const renewed = `${password.text}secret\nsecret\n`;
    expect(await machine.run(`psql --set=ON_ERROR_STOP=1 "$DATABASE_URL" <<'END'\n${renewed}END`)).toEqual(
      ok,
    );
    const psql = `psql --set=ON_ERROR_STOP=1 --tuples-only --no-align "$DATABASE_URL"`;
    expect(await machine.run(`${psql} <<'END'\n${closing.text}END`)).toEqual(ok);
    const others = "select has_database_privilege('pg_monitor', current_database(), 'connect, temporary')";
    const mayOthersConnect = () => machine.run(`${psql} --command="${others}"`);
    expect(await mayOthersConnect()).toEqual({ status: 0, output: 'f\n' });
    expect(await asSuperuser(EXTENSION)).toEqual({ status: 0, output: '' });
    expect(await asSuperuser(PLANTED)).toEqual({ status: 0, output: '' });
    expect(await machine.run(GIVEN)).toEqual(ok);
    expect(await machine.run(`umask 022\n${backup.text}`)).toEqual(ok);
    expect(accessOf(join(machine.checkout, 'gatehouse.dump')).mode & 0o777).toBe(0o600);
    const restored = await machine.run(`export PGPORT=${server.port}\n${here(restore)}`, 'secret\n');
    expect(restored).toEqual(ok);
    expect(restored.output).toContain('The schema is up to date.');
    expect(await asSuperuser("select rolsuper from pg_roles where rolname = 'other'")).toEqual({
      status: 0,
      output: 'f\n',
    });
    const contents = 'pg_dump --schema=public --schema=shift_notes --no-owner --no-privileges';
    const unlabelled = "grep -v '^.\\(un\\)\\?restrict '";
    expect(
      await machine.run(
        `diff <(sudo -u postgres ${contents} gatehouse | ${unlabelled}) <(sudo -u postgres ${contents} gatehouse_restored | ${unlabelled})`,
      ),
    ).toEqual({ status: 0, output: '' });
    // Tokens that were revoked after the backup are valid again, until `audit reapply` revokes them.
    expect(await machine.run(TAKEN_AWAY.replaceAll('5432', String(server.port)))).toEqual(ok);
    expect((await machine.run('./gatehouse token list --json')).output).not.toContain('"revoked"');
    const reapplied = await machine.run(reapplying.text);
    expect(reapplied).toEqual(ok);
    expect(reapplied.output).toContain('Made again: 2. Already in force: 0.');
    expect(reapplied.output).toContain('Cannot be repeated from the export: 1 × token.created.');
    expect(JSON.parse((await machine.run('./gatehouse token list --json 2>&-')).output)).toMatchObject([
      { name: 'ERP', state: 'revoked', revoked_at: expect.any(String) },
    ]);
    const again = await machine.run('./gatehouse audit reapply audit.jsonl --yes');
    expect(again.output).toContain('Made again: 0. Already in force: 2.');
    expect((await machine.run('./gatehouse audit verify')).output).toContain('Sealed: ');
    const schemas = "select count(*) from pg_namespace where nspname = 'planted'";
    const restoredPsql = 'sudo -u postgres psql --tuples-only --no-align gatehouse_restored';
    expect(await machine.run(`${restoredPsql} --command="${schemas}"`)).toEqual({ status: 0, output: '0\n' });
    expect(await mayOthersConnect()).toEqual({ status: 0, output: 'f\n' });
    expect(await machine.run(`${given.text}\nexport GATEHOUSE_MASTER_KEY=$(cat new.key)`)).toEqual(ok);
    const environment = join(machine.checkout, 'gatehouse.env');
    const load = `set -a; . ${environment}; set +a`;
    machine.addProgram('systemctl', '#!/bin/sh\n');
    const lines = `DATABASE_URL "$DATABASE_URL" GATEHOUSE_MASTER_KEY "$GATEHOUSE_MASTER_KEY"`;
    expect(await machine.run(`printf "%s='%s'\\n" ${lines} > ${environment}`)).toEqual(ok);
    const rewrapping = ofService.text.replaceAll('/etc/gatehouse.env', environment);
    expect(await machine.run(rewrapping)).toEqual(ok);
    expect(await machine.run(`${load}\n./gatehouse key create --format paseto`)).toEqual(ok);
    const file = join(machine.checkout, 'the-key');
    expect(
      await machine.run(
        `(umask 077 && printf %s "$GATEHOUSE_MASTER_KEY" > ${file})\nunset GATEHOUSE_MASTER_KEY\nexport GATEHOUSE_MASTER_KEY_FILE=${file}`,
      ),
    ).toEqual(ok);
    if (process.getuid?.() === 0) {
      chownSync(file, 0, 54_321);
      chmodSync(file, 0o640);
    }
    const before = { text: readFileSync(file, 'utf8'), ...accessOf(file) };
    expect(await machine.run(inFile.text)).toEqual(ok);
    expect(readFileSync(file, 'utf8')).not.toBe(before.text);
    expect(before).toMatchObject(accessOf(file));
    expect(await machine.run('./gatehouse key create --format jwt')).toEqual(ok);
  }, 400_000);
});

describe('the documented service', () => {
  const unit = block('docs/operate/install.md: As a service 2');

  test.skipIf(!has('systemd-analyze'))('is a unit that systemd understands', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-unit-'));
    try {
      const file = join(folder, 'gatehouse.service');
      writeFileSync(file, unit.text.replace('/usr/bin/node', process.execPath));
      const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
      const problems = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('gatehouse.service'));
      expect({ status, problems }).toEqual({ status: 0, problems: [] });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('starts what the checkout has, with the settings that the text makes', () => {
    const [program] = unit.text.match(/(?<=^ExecStart=\S+ )\S+/m) ?? [];
    expect(execFileSync('git', ['ls-files', '--', `:/${program}`], { encoding: 'utf8' })).not.toBe('');
    const steps = blocks.find(({ name }) => name === 'docs/operate/install.md: As a service 1')?.text ?? '';
    const [user] = unit.text.match(/(?<=^User=).+/m) ?? [];
    const [environment] = unit.text.match(/(?<=^EnvironmentFile=).+/m) ?? [];
    expect(steps).toMatch(new RegExp(`^sudo useradd .* ${user}$`, 'm'));
    expect(steps).toContain(`tee ${environment} `);
  });
});

describe('every command block of README and docs/operate', () => {
  test.each(blocks.map(({ name, language, text }) => ({ name, language, text })))(
    'is run by a test: $name',
    ({ name, language, text }) => {
      expect(covered.has(name) || NOT_RUN.has(name), `no test runs "${name}": add it to this file`).toBe(
        true,
      );
      if (language === 'sh')
        expect(spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' })).toMatchObject({ status: 0 });
    },
  );

  const passesPassword = (text: string) =>
    /^[^#\n]*\b(psql|pg_\w+|createdb|createuser)\b.*(DATABASE_URL|postgres(ql)?:\/\/)/m.test(text);

  test.each(blocks)('passes no database password as an argument: $name', ({ text }) => {
    expect(passesPassword(text)).toBe(false);
  });

  test('is found out if it does', () => {
    expect(passesPassword('umask 077\npg_dump --file=gatehouse.dump "$DATABASE_URL"')).toBe(true);
    expect(passesPassword('pg_restore --dbname=postgres://gatehouse:secret@db.example/gatehouse')).toBe(true);
  });

  test('is there, if it is listed as not run', () => {
    for (const name of NOT_RUN.keys()) expect(blocks.map((each) => each.name)).toContain(name);
  });
});
