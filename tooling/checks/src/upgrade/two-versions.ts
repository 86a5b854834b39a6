import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVisitor } from '@gatehouse/faults/visitor';
import { createTestDatabase } from '@gatehouse/test-database';
import { run, runAside } from '../clones.ts';
import { commandBlocksOf } from '../documented-commands/command-blocks.ts';
import type { Edition } from '../editions.ts';
import { startLightLoad } from './light-load.ts';
import { startVersion } from './server.ts';
import { copyThisVersion, openOlderVersion, packExtension, registerExtension } from './versions.ts';

/** The page whose commands upgrade. */
export const PAGE = 'docs/operate/upgrade.md';
const INSTALL = '.toolchain/node_modules/.bin/pnpm install';

/** The admin who exists before the upgrade. */
export const ADA = { email: 'ada@acme.example', password: 'a heavy press, twice' };
/** The path of the organization that exists before the upgrade. */
export const FOUNDRY = '/api/v1/orgs/1';

/** Fills the database by the commands of an older version. */
const fillBy = (command: string) => `${command} migrate
${command} account create --name Acme
echo '${ADA.password}' |
  ${command} user create --account 1 --email ${ADA.email} --name Ada --role admin --password-stdin
${command} org create --account 1 --name Foundry
${command} key create
${command} tool-loan create 1 --text "Press 4 leaks" --severity warning`;

/** Returns a block of the page of upgrades. */
export function blockOfPage(name: string): string {
  const found = commandBlocksOf(PAGE).find((each) => each.name === `${PAGE}: ${name}`);
  if (found === undefined) throw new Error(`There is no block "${name}" in ${PAGE} any more`);
  return found.text;
}

/**
 * An installation of the older version with an extension, and this version beside it. A server of the older version
 * serves a light load.
 */
export async function openTwoVersions({ commit, command = '', extensionGuide = '' }: Edition) {
  await using stack = new AsyncDisposableStack();
  const folder = stack.adopt(mkdtempSync(join(tmpdir(), 'gatehouse-upgrade-')), (path) =>
    rmSync(path, { recursive: true, force: true }),
  );
  // If root runs the tests, the database runs as another user, who has to enter.
  chmodSync(folder, 0o755);
  const [older, newer] = [join(folder, 'gatehouse'), join(folder, 'gatehouse-new')];
  openOlderVersion(commit, older);
  packExtension(older, `docs/${extensionGuide}`);
  registerExtension(older);
  run(older, INSTALL);
  copyThisVersion(newer);

  const database = stack.use(await createTestDatabase());
  const settings = {
    DATABASE_URL: database.url,
    GATEHOUSE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64url'),
  };
  run(older, fillBy(command), settings);
  const create = (version: string, program: string, name: string) =>
    run(
      version,
      `${program} token create --as ${ADA.email} --name ${name} --expires-in 90d --quiet`,
      settings,
    ).trim();
  const tokens = ['ERP', 'Wiki', 'Line', 'Lab'].map((name) => create(older, command, name));
  const server = stack.use(await startVersion(older, settings));
  const visitor = createVisitor({ origin: server.url, urls: [server.url] });
  await visitor.signIn(ADA);
  // The other two are revoked later.
  const load = stack.adopt(startLightLoad(server.url, FOUNDRY, tokens.slice(0, 2), ADA), (each) =>
    each.stop(),
  );
  const kept = stack.move();
  return {
    older,
    newer,
    settings,
    tokens,
    server,
    /** Ada, who signed in at the older server before the upgrade. */
    visitor,
    load,
    /** Runs commands in the folder of this version. Throws if they fail. */
    now: (script: string) => runAside(newer, `exec 2>&1\n${script}`, settings),
    createToken: (name: string) => create(newer, './gatehouse', name),
    startNewer: () => startVersion(newer, settings),
    startOlder: () => startVersion(older, settings),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

export type TwoVersions = Awaited<ReturnType<typeof openTwoVersions>>;
