import { peerAddress } from '@gatehouse/front';
import { expect, it } from 'vitest';
import { call } from '../../testing/client.ts';
import { recordLog } from '../../testing/log.ts';
import { serveApp } from '../../testing/serve-app.ts';
import { jsonAnswer } from './answer.ts';
import { createRequestHandler } from './request-handler.ts';

it('a path with several methods answers each by its own handler, and lists them all', async () => {
  const app = createRequestHandler(
    { log: recordLog().log, clientAddress: peerAddress },
    { '/a': { GET: () => jsonAnswer('1'), PATCH: () => jsonAnswer('2'), DELETE: () => jsonAnswer('3') } },
  );
  await using served = await serveApp(app);
  const ask = async (method: string) => {
    const { status, text, headers } = await call(served.url, '/a', { method });
    return [status, text.slice(0, 1), headers.get('allow')];
  };
  const allow = 'GET, HEAD, PATCH, DELETE, OPTIONS';
  expect(await Promise.all(['GET', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS', 'POST'].map(ask))).toEqual([
    [200, '1', null],
    [200, '', null],
    [200, '2', null],
    [200, '3', null],
    [204, '', allow],
    [405, '{', allow],
  ]);
});
