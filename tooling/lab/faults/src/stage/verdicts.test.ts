import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TokenId } from '@gatehouse/domain/tokens';
import { expect, test } from 'vitest';
import { wrongVerdicts } from './verdicts.ts';

/** Answers each token with these statuses, one after the other, and then with the last one again. */
async function serve(statuses: Readonly<Record<string, readonly number[]>>) {
  const asked = new Map<string, number>();
  const server = createServer(({ headers }, response) => {
    const token = headers.authorization?.slice('Bearer '.length) ?? '';
    const count = asked.get(token) ?? 0;
    asked.set(token, count + 1);
    response.writeHead(statuses[token]?.[count] ?? statuses[token]?.at(-1) ?? 500).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]: () => void server.close().closeAllConnections(),
  };
}

const good = (secret: string) => ({ id: secret as TokenId, secret });
const revoked = (secret: string) => ({ ...good(secret), revokingSince: 1, revokedAt: 2 });

test('a server that cannot decide yet gives no verdict, and the request is repeated', async () => {
  using server = await serve({ good: [503, 503, 200], revoked: [503, 401], signedIn: [503, 200] });
  const tokens = [good('good'), revoked('revoked')];
  expect(await wrongVerdicts(server.url, { tokens, signedIn: ['signedIn'] })).toEqual([]);
});

test('a wrong verdict is detected, even a late one', async () => {
  using server = await serve({ good: [401], revoked: [503, 200], signedIn: [401] });
  const tokens = [good('good'), revoked('revoked')];
  expect(await wrongVerdicts(server.url, { tokens, signedIn: ['signedIn'] })).toEqual([
    'good is good: 401',
    'revoked is revoked: 200',
    'a token of a sign-in: 401',
  ]);
});
