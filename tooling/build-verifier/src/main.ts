// npm run build:verifier: packs the verifier into dist/verifier.
import { join, relative } from 'node:path';
import { ROOT } from '@gatehouse/build-kit';
import { buildVerifier } from './build-verifier.ts';

console.log(relative(ROOT, buildVerifier(join(ROOT, 'dist/verifier'))));
