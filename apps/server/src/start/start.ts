import type { Operator } from '@gatehouse/domain/access';
import type { Listener } from '@gatehouse/front';
import type { Environment } from '../composition/environment.ts';
import type { RunningServer } from '../container.ts';
import { listenForOps } from '../ops/ops-server.ts';
import { demoPath } from './demo-file.ts';
import { openDemo } from './open-demo.ts';
import type { RequestServer } from './request-server.ts';
import { StartError } from './start-error.ts';
import { startScreen } from './start-screen.ts';
import { VERSION } from './version.ts';

interface Parts
  extends Pick<Environment, 'settings' | 'database' | 'isEmbedded' | 'lifecycle' | 'log'>,
    Pick<RunningServer, 'opsApp' | 'useCases'> {
  readonly requestServer: RequestServer;
}

/** The actor of the server's own actions in the audit log. */
const OPERATOR: Operator = { kind: 'operator', name: 'gatehouse server', origin: 'start' };

/**
 * Starts the server on an open database and prints how to use it. Resolves with the operations listener, or with
 * undefined if a stop was requested before.
 */
export async function start(parts: Parts): Promise<Listener | undefined> {
  const { settings, lifecycle, log } = parts;
  const ensured = await parts.useCases.ensureKeys(OPERATOR);
  if (!ensured.ok) {
    throw new StartError(
      'the master key does not decrypt the signing keys: start with the master key that encrypted them',
    );
  }
  // The port is opened before the demo is created. If the port is in use, the start fails without showing the demo's
  // passwords.
  const url = await parts.requestServer.start();
  if (url === undefined) return undefined;
  const opsServer = await listenForOps(parts.opsApp, settings, log);
  if (parts.isEmbedded) {
    process.stdout.write(await demoScreen(parts, url, opsServer.url));
  } else {
    log.info(
      { kind: 'serving', version: VERSION, url, ops_url: opsServer.url },
      'the server is ready for requests',
    );
  }
  lifecycle.stage = 'serving';
  return opsServer;
}

async function demoScreen({ settings, database, useCases }: Parts, url: string, opsUrl: string) {
  const { GATEHOUSE_DATA_DIR: dataDir, TOKEN_FORMAT: format, PAGES, PUBLIC_URL } = settings;
  const found = await openDemo(useCases, { database, dataDir, operator: OPERATOR, format, baseUrl: url });
  const pagesUrl = PAGES === 'on' ? (PUBLIC_URL ?? url) : undefined;
  return startScreen(found, { url, opsUrl, demoPath: demoPath(dataDir), pagesUrl });
}
