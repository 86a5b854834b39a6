import { createHmac } from 'node:crypto';
import type { ActiveToken, HandleSecret, ServiceName } from '@gatehouse/domain/services';
import { expect, test } from 'vitest';
import { createTokenHandles } from './token-handles.ts';

const SECRET = new Uint8Array(32).fill(7) as HandleSecret;
const ORDERS = 'orders' as ServiceName;

/** A handle, as every server of every version makes it. */
function handle(service: string, record: string) {
  const key = createHmac('sha256', SECRET).update(`token-changes:${service}`).digest();
  return createHmac('sha256', key).update(record).digest().subarray(0, 16).toString('base64url');
}

test('an answer depends on the token, its owner, account and key, and on the service', async () => {
  const handles = createTokenHandles({ services: { findHandleSecret: async () => SECRET } });
  const token = { id: 't', user: { id: 7 }, account: { id: 3 }, keyId: 'k', subject: 1 };
  // Only these ids are read.
  expect(await handles.dependencies(ORDERS, { caller: { token } } as unknown as ActiveToken)).toEqual([
    { kind: 'token', handle: handle('orders', 'token:t') },
    { kind: 'user', handle: handle('orders', 'user:7') },
    { kind: 'account', handle: handle('orders', 'account:3') },
    { kind: 'key', handle: handle('orders', 'key:k') },
    { kind: 'service', handle: handle('orders', 'service:orders') },
  ]);
});

test('the secret is read once, and again after a read that failed', async () => {
  let reads = 0;
  let fails = true;
  const handles = createTokenHandles({
    services: {
      async findHandleSecret() {
        reads += 1;
        if (fails) throw new Error('the database is away');
        return SECRET;
      },
    },
  });
  await expect(handles.of(ORDERS)).rejects.toThrow('the database is away');
  fails = false;
  await Promise.all([handles.of(ORDERS), handles.of('billing' as ServiceName)]);
  expect(handles.of(ORDERS)).not.toBeInstanceOf(Promise);
  expect(reads).toBe(2);
});
