import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createHeaders } from './headers.ts';

test('a file of headers is read for each message, and one that cannot be used is said once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-headers-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'headers');
  const file = { path, headers: { authorization: 'first' }, isRegular: true };
  const said: string[] = [];
  const headers = createHeaders({ OTEL_EXPORTER_OTLP_HEADERS_FILE: file }, (line) => said.push(line));
  await writeFile(path, 'authorization=second', { mode: 0o600 });
  expect(await headers()).toEqual({ authorization: 'second' });
  await writeFile(path, '');
  for (let message = 0; message < 2; message += 1)
    expect(await headers()).toEqual({ authorization: 'second' });
  expect(said).toEqual([
    `OTEL_EXPORTER_OTLP_HEADERS_FILE names ${path}, which is empty: it must hold headers such as authorization=Bearer%20..., with commas between them: the headers that it held before are used`,
  ]);
});
