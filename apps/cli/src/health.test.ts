import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runHere } from '../testing/run-here.ts';

/** A listener for operations that answers so. */
async function serve(answer: RequestListener, host = '127.0.0.1') {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { OPS_HOST: host, OPS_PORT: String((server.address() as AddressInfo).port) };
}

const says = (status: number, body: object): RequestListener => {
  return ({ url = '' }, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ ...body, url }));
};

test.each([
  ['ready', says(200, { status: 'ready' }), [], 'ready\n'],
  ['live', says(200, { status: 'live' }), ['--live'], 'live\n'],
  [
    'degraded, which answers every request',
    says(200, { status: 'degraded', reason: 'The change feed is not trusted' }),
    [],
    'degraded: The change feed is not trusted\n',
  ],
  ['ready, if all is quiet', says(200, { status: 'ready' }), ['--quiet'], ''],
])('a server that is %s has status 0', async (_, answer, options, stdout) => {
  const settings = await serve(answer);
  expect(await runHere(settings, ['health', ...options])).toEqual({ status: 0, stdout, stderr: '' });
});

test('it asks for what the option names, at an address that a server listens on', async () => {
  const settings = await serve(says(200, {}), '0.0.0.0');
  const asked = async (...options: string[]) =>
    JSON.parse((await runHere(settings, ['health', '--json', ...options])).stdout).url;
  expect([await asked(), await asked('--live')]).toEqual(['/ready', '/live']);
});

test.each(['[::]', '[0::0]', '::'])(
  'it asks a server on all IPv6 addresses at ::1: OPS_HOST=%s',
  async (written) => {
    const settings = await serve(says(503, { title: 'Starting.' }), '::');
    const { stderr } = await runHere({ ...settings, OPS_HOST: written }, ['health']);
    expect(stderr).toMatch(/^error: http:\/\/\[::1\]:\d+\/ready answers 503: Starting\.\n$/);
  },
);

test('it takes an IPv6 address in brackets, as URLs have it', async () => {
  const settings = await serve(says(503, { title: 'Starting.' }), '::1');
  const { stderr } = await runHere({ ...settings, OPS_HOST: '[::1]' }, ['health']);
  expect(stderr).toBe(`error: http://[::1]:${settings.OPS_PORT}/ready answers 503: Starting.\n`);
});

test('a server that is not ready has status 1, and one line says why', async () => {
  const settings = await serve(says(503, { title: 'The database cannot be used.' }));
  expect(await runHere(settings, ['health'])).toEqual({
    status: 1,
    stdout: '',
    stderr: `error: http://127.0.0.1:${settings.OPS_PORT}/ready answers 503: The database cannot be used.\n`,
  });
});

test('no server, or something else that listens there, has status 1', async () => {
  const { OPS_PORT } = await serve((_, response) => void response.destroy());
  const refused = {
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^error: No server answers at .*\n$/),
  };
  expect(await runHere({ OPS_PORT }, ['health'])).toEqual(refused);
  expect(await runHere({ OPS_PORT: '1' }, ['health', '--live'])).toEqual({
    ...refused,
    stderr: expect.stringMatching(
      /^error: No server answers at http:\/\/127\.0\.0\.1:1\/live: connect ECONNREFUSED 127\.0\.0\.1:1\.\n$/,
    ),
  });
  const other = await serve((_, response) => void response.writeHead(404).end('not here'));
  expect(await runHere(other, ['health'])).toMatchObject({ status: 1, stdout: '' });
});

test('a server that accepts connections and says nothing has status 1 after three seconds', async () => {
  const silent = await serve(() => undefined);
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await runHere(silent, ['health'])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('no answer within 3 seconds'),
  });
});

test('a wrong setting is wrong usage', async () => {
  expect(await runHere({ OPS_PORT: 'x' }, ['health'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('OPS_PORT must be a whole number'),
  });
});
