import { expect, test } from 'vitest';
import { createMemoryCli } from '../../../testing/memory-cli.ts';

test('the first key that is created finds the active ones made, as a server makes them', async () => {
  const { run } = createMemoryCli();
  const created = await run(['key', 'create', '--format', 'jwt']);
  expect(created).toMatchObject({ status: 0, stderr: expect.stringContaining('activated') });
  const keys = JSON.parse((await run(['key', 'list', '--json'])).stdout);
  expect(keys).toHaveLength(3);
  // Keys of one moment have no order.
  expect(keys).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ format: 'paseto', state: 'active' }),
      expect.objectContaining({ format: 'jwt', state: 'active' }),
      {
        id: created.stdout.trim(),
        format: 'jwt',
        state: 'staged',
        created_at: '2026-01-01T00:00:00.000Z',
        activated_at: null,
        retired_at: null,
      },
    ]),
  );
});

test('a key is activated once every server can know it', async () => {
  const { run, clock } = createMemoryCli();
  const id = (await run(['key', 'create'])).stdout.trim();
  const early = await run(['key', 'activate', id]);
  expect(early).toMatchObject({ status: 5, stderr: expect.stringContaining('2026-01-01T00:00:02.000Z') });
  clock.advance(2000);
  const done = await run(['key', 'activate', id, '--json']);
  expect(done).toMatchObject({ status: 0, stderr: expect.stringContaining(id) });
  expect(JSON.parse(done.stdout)).toMatchObject({ id, state: 'active' });
  expect((await run(['key', 'activate', id])).status).toBe(5);
});

test('an unknown key is not found, also one that looks like an option', async () => {
  const { run } = createMemoryCli();
  for (const id of ['abc', '-hJ5', '--Zx', '-9']) {
    expect(await run(['key', 'activate', id]), id).toMatchObject({ status: 3 });
  }
  expect(await run(['key', 'activate', 'a/b'])).toMatchObject({ status: 2 });
  expect(await run(['key', 'activate'])).toMatchObject({ status: 2 });
});

test('a new master key is 32 bytes, the only thing on standard output, and another every time', async () => {
  const { run, openCount } = createMemoryCli();
  const { stdout } = await run(['key', 'new-master']);
  expect(stdout).toMatch(/^[\w-]{43}\n$/);
  expect((await run(['key', 'new-master'])).stdout).not.toBe(stdout);
  expect(JSON.parse((await run(['key', 'new-master', '--json'])).stdout)).toEqual({
    master_key: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect(openCount()).toBe(0);
});
