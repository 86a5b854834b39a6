import { lookup } from 'node:dns/promises';
import { expect, test } from 'vitest';
import { openDnsServer } from '../testing/dns-server.ts';
import { createDnsResolve } from './resolve-by-dns.ts';

const V4 = { address: '192.0.2.1', family: 4 };
const V6 = { address: '2001:db8::1', family: 6 };
const A = [Uint8Array.from([192, 0, 2, 1])];
const AAAA = [Uint8Array.from([0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])];

test.each([
  [{ A, AAAA }, [V4, V6]],
  [{ A }, [V4]],
  [{ AAAA }, [V6]],
])('the addresses of both families are found (%#)', async (records, addresses) => {
  await using dns = await openDnsServer(records);
  expect(await createDnsResolve([dns.server])('hooks.example')).toEqual(addresses);
});

test('a name without an address is not resolved', async () => {
  await using dns = await openDnsServer({});
  await expect(createDnsResolve([dns.server])('hooks.example')).rejects.toThrow('ENODATA');
});

test('names whose servers do not answer hold up no other connection of the process', async () => {
  await using dns = await openDnsServer();
  const resolve = createDnsResolve([dns.server]);
  const failed = Promise.allSettled(Array.from({ length: 20 }, (_, each) => resolve(`${each}.example`)));
  const begun = performance.now();
  await lookup('localhost');
  expect(performance.now() - begun).toBeLessThan(3000);
  // The servers of the machine, which could answer, were not asked.
  for (const outcome of await failed) expect(outcome).toMatchObject({ reason: { code: 'ETIMEOUT' } });
  expect(performance.now() - begun).toBeLessThan(12_000);
}, 20_000);
