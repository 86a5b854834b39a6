import { fileURLToPath } from 'node:url';
import { BASE } from './debian-base.ts';
import type { Engine } from './engine.ts';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

interface BuildOptions {
  readonly revision?: string;
  /** Whether to make it anew, whatever was made before. */
  readonly anew?: boolean;
}

/** Builds the image by the Dockerfile of this repository. Resolves with the layers, as the hashes of what is in them. */
export async function buildImage(
  { docker }: Engine,
  name: string,
  { revision = '', anew = false }: BuildOptions = {},
): Promise<string> {
  const args = [`BASE=${BASE}`, `REVISION=${revision}`].flatMap((each) => ['--build-arg', each]);
  await docker(['build', '--tag', name, ...args, ...(anew ? ['--no-cache'] : []), ROOT]);
  return docker(['image', 'inspect', '--format', '{{json .RootFS.Layers}}', name]);
}
