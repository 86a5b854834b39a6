import { readFile } from 'node:fs/promises';
import { createCertificates, freePorts, hasOpenSsl } from '@gatehouse/test-database';
import { describe, expect, test } from 'vitest';
import { hasHaproxy, startHaproxy } from '../stage/haproxy.ts';
import { startNode } from '../stage/node.ts';
import { openPopulated } from '../stage/population.ts';
import { createVisitor } from '../stage/visitor.ts';

const canRun = hasHaproxy && hasOpenSsl;
if (!canRun) {
  console.warn(
    'SKIPPED: the pages behind docs/operate/haproxy.cfg were not tested: haproxy or openssl is not installed',
  );
}

/** Two servers behind haproxy with the documented configuration and a certificate of a test's authority. */
async function openPagesOverTls() {
  await using ending = new AsyncDisposableStack();
  const certificates = ending.use(await createCertificates());
  const database = ending.use(await openPopulated());
  const [port = 0, ...ports] = await freePorts(5);
  const origin = `https://localhost:${port}`;
  const backends = [
    { port: ports[0] as number, opsPort: ports[1] as number },
    { port: ports[2] as number, opsPort: ports[3] as number },
  ];
  for (const backend of backends) {
    const own = { PORT: String(backend.port), OPS_PORT: String(backend.opsPort) };
    const settings = { ...database.settings, ...own, PUBLIC_URL: origin, TRUST_PROXY: '127.0.0.1' };
    ending.use(await startNode(settings));
  }
  const pem = ['cert', 'key'] as const;
  const bundle = await Promise.all(pem.map((name) => readFile(certificates[name], 'utf8')));
  const proxy = ending.use(await startHaproxy(port, backends, { certificate: bundle.join('') }));
  await proxy.untilUp(2);
  const visitor = createVisitor({ origin, urls: [origin], ca: await readFile(certificates.ca) });
  const kept = ending.move();
  return { visitor, database, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

describe.skipIf(!canRun)('the pages behind haproxy over TLS', () => {
  test('sign in, work on either server, and sign out, with cookies for this host and https only', async () => {
    await using site = await openPagesOverTls();
    const { visitor, database } = site;
    const home = await visitor.ask('/');
    expect([home.status, home.headers['strict-transport-security']]).toEqual([200, 'max-age=31536000']);

    const signedIn = await visitor.signIn(database);
    expect([signedIn.status, signedIn.headers.location]).toEqual([303, '/settings/api']);
    const cookie = signedIn.headers['set-cookie']?.find((line) => line.startsWith('__Host-gatehouse='));
    for (const part of ['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/'])
      expect(cookie?.split('; ')).toContain(part);

    for (let request = 0; request < 4; request += 1) {
      const sessions = await visitor.ask('/settings/password');
      expect(sessions.status).toBe(200);
      expect(sessions.text).toContain(database.email);
    }
    const fields = await visitor.form('/settings/password', '/sign-out', {});
    expect((await visitor.ask('/sign-out', { fields })).status).toBe(303);
    expect((await visitor.ask('/settings/password')).headers.location).toMatch(/^\/sign-in\?/);
  });

  test('a form of another origin changes nothing', async () => {
    await using site = await openPagesOverTls();
    const { visitor, database } = site;
    await visitor.signIn(database);
    const fields = await visitor.form('/settings/password', '/sign-out', {});
    const forged = { origin: 'https://evil.example' };
    expect((await visitor.ask('/sign-out', { fields, headers: forged })).status).toBe(400);
    expect((await visitor.ask('/settings/password')).status).toBe(200);
  });
});
