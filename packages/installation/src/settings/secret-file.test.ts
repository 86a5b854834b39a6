import { chmodSync, renameSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readSecretFile } from './secret-file.ts';

test('the file that is read is the one that was checked, whatever takes its place meanwhile', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-secret-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'secret');
  writeFileSync(path, 'ours', { mode: 0o600 });
  const { uid } = await stat(path);
  vi.spyOn(process, 'geteuid').mockImplementationOnce(() => {
    writeFileSync(`${path}.theirs`, 'theirs');
    chmodSync(`${path}.theirs`, 0o666);
    renameSync(`${path}.theirs`, path);
    return uid;
  });
  expect(readSecretFile(path, 'a secret')).toMatchObject({ ok: true, value: { text: 'ours' } });
  expect(readSecretFile(path, 'a secret')).toMatchObject({ ok: false });
});
