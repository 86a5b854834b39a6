import { fileURLToPath } from 'node:url';
import { BASE } from './debian-base.ts';
import type { Engine } from './engine.ts';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

interface BuildOptions {
  readonly revision?: string;
  /** Whether to build without the cache. */
  readonly anew?: boolean;
}

/** Builds the image with the Dockerfile of this repository. Resolves with the hashes of its layers. */
export async function buildImage(
  { docker }: Engine,
  name: string,
  { revision = '', anew = false }: BuildOptions = {},
): Promise<string> {
  const args = [`BASE=${BASE}`, `REVISION=${revision}`].flatMap((each) => ['--build-arg', each]);
  await docker(['build', '--tag', name, ...args, ...(anew ? ['--no-cache'] : []), ROOT]);
  return docker(['image', 'inspect', '--format', '{{json .RootFS.Layers}}', name]);
}
