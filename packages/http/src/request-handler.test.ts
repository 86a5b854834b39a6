import { createClientAddress } from '@gatehouse/front';
import { expect, it } from 'vitest';
import { NO_LOG, serveHandler } from '../testing/index.ts';
import { jsonAnswer } from './answer.ts';
import { createRequestHandler } from './request-handler.ts';

it('a path with several methods answers each by its own handler, and lists them all', async () => {
  const app = createRequestHandler(
    { log: NO_LOG, clientAddress: createClientAddress(undefined) },
    { '/a': { GET: () => jsonAnswer('1'), PATCH: () => jsonAnswer('2'), DELETE: () => jsonAnswer('3') } },
  );
  await using served = await serveHandler(app);
  const ask = async (method: string) => {
    const { status, body, headers } = await served.ask('/a', method);
    return [status, body.slice(0, 1), headers.allow];
  };
  const allow = 'GET, HEAD, PATCH, DELETE, OPTIONS';
  expect(await Promise.all(['GET', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS', 'POST'].map(ask))).toEqual([
    [200, '1', undefined],
    [200, '', undefined],
    [200, '2', undefined],
    [200, '3', undefined],
    [204, '', allow],
    [405, '{', allow],
  ]);
});
