import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockedVersion, ROOT } from '@gatehouse/build-kit';
import { compile } from './compile.ts';
import type { Room } from './room.ts';
import { expectEqual, type Prove } from './try-own-database.ts';

/** An extension that was written for version 1 of the kit. */
const EXTENSION = join(ROOT, 'tooling/build-kit/src/written-for-version-1');

/** Describes the extension, and prints whether its scope is known. */
const PROGRAM = `import { BUILT_IN, createCatalog } from '@gatehouse/domain/resources';
import { visits } from './visits/index.ts';

console.log(createCatalog([...BUILT_IN, visits]).scopes.includes('visits:read'));
`;

/** Installs the kit and its domain in an empty folder, and compiles and runs an extension with them. */
export async function tryKit(
  room: Room,
  { tarballs, prove }: { tarballs: readonly string[]; prove: Prove },
): Promise<void> {
  await room.succeed('npm', [
    'install',
    ...tarballs,
    `zod@${lockedVersion('zod', 'packages/extension-kit')}`,
  ]);
  cpSync(EXTENSION, join(room.folder, 'visits'), { recursive: true });
  writeFileSync(join(room.folder, 'describe.ts'), PROGRAM);
  compile(room, ['describe.ts']);
  expectEqual(await room.succeed('node', ['describe.js']), 'true\n');
  prove(
    '@gatehouse/extension-kit: npm installs it with @gatehouse/domain, and an extension compiles and is described',
  );
}
