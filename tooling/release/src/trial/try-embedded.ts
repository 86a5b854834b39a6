import { COMMAND, startServer } from './installed-program.ts';
import type { Room } from './room.ts';
import { expectEqual, type Prove } from './try-own-database.ts';

/** Installs both programs in an empty folder with the embedded PostgreSQL, by the command that an error names. */
export async function tryEmbedded(
  room: Room,
  { tarball, prove }: { tarball: string; prove: Prove },
): Promise<void> {
  await room.succeed('npm', ['install', tarball]);
  const { status, stderr } = await room.run(COMMAND, ['migrate']);
  const [, install] = /`(npm install [^`]+)`/.exec(stderr) ?? [];
  if (status !== 2 || install === undefined)
    throw new Error(`migrate without a database ended with ${status}: ${stderr}`);
  prove('gatehouse: without a database, it names the command that installs the embedded PostgreSQL');
  await room.succeed('npm', install.split(' ').slice(1));
  await room.succeed(COMMAND, ['migrate']);
  const server = await startServer(room, {});
  prove(
    `gatehouse-server: after "${install}", it starts with the embedded PostgreSQL, under Node ${process.versions.node}`,
  );
  expectEqual(await server.stop(), 0);
  prove('gatehouse-server: SIGTERM stops it with exit status 0');
}
