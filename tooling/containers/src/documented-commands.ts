import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandBlocksOf } from '@gatehouse/checks/command-blocks';
import { ROOT } from './build-image.ts';
import { succeed } from './programs.ts';
import type { Stack } from './stack.ts';

const DOCUMENT = 'docs/operate/containers.md';

/** Debian's Compose is a program of its own. */
const COMPOSE =
  'docker() { if [ "$1" = compose ]; then shift; docker-compose "$@"; else command docker "$@"; fi; }';

/** Commands of `docs/operate/containers.md` that cannot be run as they stand, and why. */
export const NOT_RUN = new Map([
  ['The image alone 1', 'the tests of the image build it in the same way, with a base of their own'],
  ['The image alone 2', 'it serves until it is stopped: the nodes of the stack are started in the same way'],
]);

/** The names of all blocks of the document, such as `Upgrade 1`. */
export const BLOCKS: ReadonlyMap<string, string> = new Map(
  commandBlocksOf(DOCUMENT).map(({ name, text }) => [name.slice(DOCUMENT.length + 2), text]),
);

/** Runs blocks of the document in a folder of their own, one after another; only the address is changed. */
export async function openDocument({ env, url }: Pick<Stack, 'env' | 'url'>) {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-documented-'));
  return {
    run(name: string, { edit = (text) => text, image, stdin = '' }: DocumentedOptions = {}): Promise<string> {
      const text = BLOCKS.get(name);
      if (text === undefined) throw new Error(`${DOCUMENT} no longer has a block "${name}"`);
      return succeed('bash', ['-ec', `${COMPOSE}\n${edit(text.replaceAll('https://localhost:8443', url))}`], {
        cwd: folder,
        env: {
          ...env,
          COMPOSE_FILE: join(ROOT, 'compose.yaml'),
          ...(image !== undefined && { GATEHOUSE_IMAGE: image }),
        },
        stdin,
      });
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

interface DocumentedOptions {
  readonly edit?: (text: string) => string;
  readonly image?: string;
  readonly stdin?: string;
}
