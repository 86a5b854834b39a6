import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../testing/run-here.ts';
import { aTemporaryFolder } from '../testing/temporary-folder.ts';

/** A database that does not exist: a command that connects before it has checked its settings ends with 1. */
const NOWHERE = 'postgres://gatehouse:hunter2@127.0.0.1:1/gatehouse';
const KEY = 'A'.repeat(43);
const SIGNING = [
  ['token', 'create', '--as', 'ada@acme.example', '--name', 'ERP'],
  ['token', 'rotate', '019a0000-0000-7000-8000-000000000000', '--as', 'ada@acme.example'],
  ['key', 'create'],
  ['key', 'rewrap'],
];

async function aKeyFile(mode: number, text = KEY): Promise<string> {
  const file = join(await aTemporaryFolder(), 'master.key');
  await writeFile(file, text);
  await chmod(file, mode);
  return file;
}

test.each(SIGNING)(
  '%s %s reports an unusable master key as wrong usage, before it connects to the database',
  async (...args) => {
    const file = await aKeyFile(0o600);
    const damaged = await aKeyFile(0o600, 'hunter2');
    for (const [given, said] of [
      [{}, /^error: a master key is required when DATABASE_URL is set: .*GATEHOUSE_MASTER_KEY_FILE/],
      [{ GATEHOUSE_MASTER_KEY: 'hunter2' }, /^error: GATEHOUSE_MASTER_KEY must be 32 bytes/],
      [
        { GATEHOUSE_MASTER_KEY: KEY, GATEHOUSE_MASTER_KEY_FILE: file },
        /^error: .* are both set: set one of them/,
      ],
      [
        { GATEHOUSE_MASTER_KEY_FILE: `${file}.none` },
        /^error: GATEHOUSE_MASTER_KEY_FILE: .*none cannot be read/,
      ],
      [
        { GATEHOUSE_MASTER_KEY_FILE: damaged },
        /^error: GATEHOUSE_MASTER_KEY_FILE: .* contains no master key/,
      ],
    ] as const) {
      const refused = await runHere({ DATABASE_URL: NOWHERE, ...given }, args);
      expect(refused).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(said) });
      expect(refused.stderr).not.toContain('hunter2');
    }
  },
  60_000,
);

test('invalid settings and an unusable master key are reported together, each by name', async () => {
  const settings = {
    DATABASE_URL: 'mysql://x',
    MAX_STALENESS_MS: 'x',
    GATEHOUSE_MASTER_KEY_FILE: '/none/key',
  };
  for (const args of SIGNING) {
    const { status, stderr } = await runHere(settings, args);
    expect(status).toBe(2);
    for (const name of ['DATABASE_URL', 'MAX_STALENESS_MS', 'GATEHOUSE_MASTER_KEY_FILE: /none/key']) {
      expect(stderr).toContain(name);
    }
  }
});

test('an unusable file with a new master key is wrong usage, reported before the database is opened', async () => {
  const settings = { DATABASE_URL: NOWHERE, GATEHOUSE_MASTER_KEY: KEY };
  for (const file of ['/none/key', await aKeyFile(0o600, 'hunter2'), await aKeyFile(0o644)]) {
    const { status, stderr } = await runHere(settings, ['key', 'rewrap', '--new-master-key-file', file]);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(file) });
  }
});
