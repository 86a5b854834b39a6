import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createMasterKey } from '@gatehouse/key-encryption';
import { openHostileServer } from '@gatehouse/test-database';
import { describe, expect, it } from 'vitest';
import { exists, postmasterFile } from '../../testing/data-folder.ts';
import { expectRefusal } from '../../testing/refused-start.ts';
import { makeDataFolder, makeUsedDataFolder, spawnServer } from '../../testing/spawn-server.ts';

describe('a start that cannot be', () => {
  const nowhere = {
    DATABASE_URL: 'postgres://user:secret@127.0.0.1:1/x',
    GATEHOUSE_MASTER_KEY: createMasterKey(),
  };

  it('reports all invalid settings, and exits with 2 before anything is started', async () => {
    await using folder = await makeDataFolder();
    const server = spawnServer({ GATEHOUSE_DATA_DIR: folder.path, PORT: 'x', TOKEN_FORMAT: 'x' });
    expect(await server.ended).toBe(2);
    expect(server.errors().split('\n').slice(0, -1)).toEqual([
      'Gatehouse cannot start: TOKEN_FORMAT must be one of paseto, jwt',
      'Gatehouse cannot start: PORT must be a whole number from 0 to 65535',
    ]);
    expect(await exists(join(folder.path, 'postgres'))).toBe(false);
  });

  it('names a port that is in use, or an address that this machine does not have', async () => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await using _closed = { [Symbol.asyncDispose]: async () => void occupant.close() };
    await expect.poll(() => occupant.listening).toBe(true);
    const { port } = occupant.address() as { port: number };
    await using folder = await makeUsedDataFolder();
    for (const [name, value, message] of [
      ['PORT', String(port), `127\\.0\\.0\\.1:${port} is in use .* another PORT`],
      ['OPS_PORT', String(port), `127\\.0\\.0\\.1:${port} is in use .* another OPS_PORT`],
      ['HOST', '192.0.2.1', '192\\.0\\.2\\.1 is not an address of this machine: choose another HOST'],
    ] as const) {
      const server = spawnServer({ GATEHOUSE_DATA_DIR: folder.path, [name]: value });
      await expectRefusal(server, 1, new RegExp(`${message}\\n$`));
      expect(await exists(postmasterFile(folder.path))).toBe(false);
      expect(await exists(join(folder.path, 'demo.json'))).toBe(false);
    }
  });

  it('names a data folder that cannot be used', async () => {
    await using folder = await makeDataFolder();
    await writeFile(join(folder.path, 'file'), '');
    const dataDir = join(folder.path, 'file', 'data');
    await expectRefusal(spawnServer({ GATEHOUSE_DATA_DIR: dataDir }), 1, /file\/data cannot be used: .+\n$/);
  });

  it('names a database that cannot be reached, without its password', async () => {
    const server = spawnServer(nowhere);
    await expectRefusal(server, 1, /the database cannot be reached: .*127\.0\.0\.1:1\n$/);
    expect(server.out() + server.errors()).not.toContain('secret');
  });

  it('is reported in one line, whatever the message of the database', async () => {
    await using hostile = await openHostileServer('fails with lines of its own');
    const server = spawnServer({ ...nowhere, DATABASE_URL: hostile.url });
    await expectRefusal(server, 1, /: \ufffd\[2Jno\ufffd\ufffdok {7}all is well\ufffd\ufffddone\n$/);
    expect(server.errors().split('\n')).toHaveLength(2);
  });

  it('names a damaged file of facts', async () => {
    await using folder = await makeDataFolder();
    await mkdir(folder.path, { recursive: true });
    await writeFile(join(folder.path, 'demo.json'), '{"token":', { mode: 0o600 });
    await expectRefusal(
      spawnServer({ GATEHOUSE_DATA_DIR: folder.path }),
      1,
      /demo\.json was changed after Gatehouse wrote it/,
    );
    expect(await exists(postmasterFile(folder.path))).toBe(false);
  });
});
