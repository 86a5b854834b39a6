import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

/** SHA-256 of `fastify-by-hand.ts`. */
const FROZEN = 'b8290ce027538e8499d213be79e11f6ff058c86f1469cc460fdaad9eddbe99f2';

it('the hand-written service is the one that limits were set against', async () => {
  const source = await readFile(new URL('fastify-by-hand.ts', import.meta.url));
  const hash = createHash('sha256').update(source).digest('hex');
  expect(
    hash,
    'Our limits are multiples of what this service costs: a slower one would make them easier to hold, and figures from ' +
      'before could not be compared. If it has to change, measure it before and after in one run, and set the limits again.',
  ).toBe(FROZEN);
});
