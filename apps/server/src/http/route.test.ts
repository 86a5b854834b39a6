import { describe, expect, it } from 'vitest';
import { call } from '../../testing/client.ts';
import { recordLog } from '../../testing/log.ts';
import { jsonAnswer } from './answer.ts';
import { createHttpServer } from './http-server.ts';
import { createRoutedApp } from './routed-app.ts';

describe('a path with several methods', () => {
  it('answers each by its own handler, and lists them all', async () => {
    const app = createRoutedApp(
      { log: recordLog().log, lifecycle: { stage: 'serving' } },
      { '/a': { GET: () => jsonAnswer('1'), PATCH: () => jsonAnswer('2'), DELETE: () => jsonAnswer('3') } },
    );
    const server = createHttpServer(app, { host: '127.0.0.1', port: 0 });
    await server.listen();
    await using _closed = { [Symbol.asyncDispose]: async () => void server.node.close() };
    const ask = async (method: string) => {
      const { status, text, headers } = await call(server.url, '/a', { method });
      return [status, text.slice(0, 1), headers.get('allow')];
    };
    const allow = 'GET, HEAD, PATCH, DELETE, OPTIONS';
    expect(await ask('GET')).toEqual([200, '1', null]);
    expect(await ask('HEAD')).toEqual([200, '', null]);
    expect(await ask('PATCH')).toEqual([200, '2', null]);
    expect(await ask('DELETE')).toEqual([200, '3', null]);
    expect(await ask('OPTIONS')).toEqual([204, '', allow]);
    expect(await ask('POST')).toEqual([405, '{', allow]);
  });
});
