import { basename } from 'node:path';
import { versionOfRelease } from '../version.ts';
import { openRoom } from './room.ts';
import { openDatabase } from './trial-database.ts';
import { tryClient } from './try-client.ts';
import { tryEmbedded } from './try-embedded.ts';
import { tryKit } from './try-kit.ts';
import { expectEqual, type Prove, tryOwnDatabase } from './try-own-database.ts';
import { tryVerifier } from './try-verifier.ts';

/**
 * Installs each tarball of a release in an empty folder, as on a machine that has Node and nothing of ours, and uses it.
 *
 * @throws Error if something does not work
 */
export async function tryRelease(tarballs: readonly string[], prove: Prove): Promise<void> {
  const named = (start: string) => {
    const found = tarballs.find((path) => basename(path).startsWith(start));
    if (found === undefined) throw new Error(`the release has no ${start}*.tgz`);
    return found;
  };
  const version = versionOfRelease();
  const program = named(`gatehouse-${version}`);
  {
    await using database = await openDatabase();
    await using room = openRoom();
    const installation = await tryOwnDatabase(room, {
      tarball: program,
      version,
      databaseUrl: database.url,
      prove,
    });
    {
      await using ofClient = openRoom();
      await tryClient(ofClient, { tarball: named('gatehouse-client-'), installation, prove });
    }
    {
      await using ofVerifier = openRoom();
      await tryVerifier(ofVerifier, { tarball: named('gatehouse-verifier-'), installation, prove });
    }
    expectEqual(await installation.server.stop(), 0);
  }
  {
    await using ofEmbedded = openRoom(process.execPath);
    await tryEmbedded(ofEmbedded, { tarball: program, prove });
  }
  await using ofKit = openRoom(process.execPath);
  await tryKit(ofKit, { tarballs: [named('gatehouse-domain-'), named('gatehouse-extension-kit-')], prove });
}
