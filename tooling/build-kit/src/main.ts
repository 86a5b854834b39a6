// npm run build:kit: packs the domain and the extension kit into dist/kit.
import { join, relative } from 'node:path';
import { buildKit } from './build-kit.ts';
import { ROOT } from './run.ts';

for (const tarball of buildKit(join(ROOT, 'dist/kit'))) console.log(relative(ROOT, tarball));
