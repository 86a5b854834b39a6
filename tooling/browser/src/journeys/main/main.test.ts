import { sized } from '@gatehouse/fault-figures';
import { beforeAll, describe, it } from 'vitest';
import { newPage } from '../../index.ts';
import { copyToken } from '../copy-token.ts';
import { makeToken } from '../form-requests.ts';
import { sharedSessions, worldOfTests } from '../world-of-tests.ts';
import { HANDS } from './hands.ts';
import { PERSON_JOURNEYS } from './person-journeys.ts';
import type { Journeys, Variant } from './scene.ts';
import { LISTED, TOKEN_JOURNEYS } from './token-journeys.ts';

const WIDE = { javaScript: true, width: 1280, by: 'mouse' } as const;
const NARROW_WITHOUT_SCRIPTS = { javaScript: false, width: 320, by: 'mouse' } as const;
const BY_KEYS = { javaScript: true, width: 1280, by: 'keyboard' } as const;

/**
 * The variants: the width changes the layout, scripts change what a page does, and the keyboard changes how it is used.
 * Light and dark differ only in colours, which `every-page.test.ts` checks. The short size has each of these ways once, the
 * full one also has the pairs.
 */
const VARIANTS: readonly Variant[] = sized({
  short: [WIDE, NARROW_WITHOUT_SCRIPTS, BY_KEYS],
  full: [
    WIDE,
    { ...WIDE, width: 320 },
    { ...NARROW_WITHOUT_SCRIPTS, width: 1280 },
    NARROW_WITHOUT_SCRIPTS,
    BY_KEYS,
  ],
});

const world = worldOfTests();
const signedIn = sharedSessions(world);

beforeAll(async () => {
  await using page = await signedIn(world().acme.admin);
  const [first = '', ...others] = Array.from(
    { length: LISTED.count },
    (_, index) => `${LISTED.name} ${`${index}`.padStart(2, '0')}`,
  );
  await copyToken(world(), (await makeToken(page, world(), first)).id, others);
});

describe.each(VARIANTS)('by $by, JavaScript $javaScript, $width pixels wide:', (variant) => {
  const make = (journeys: Journeys, start: typeof newPage) => {
    for (const [index, [name, journey]] of Object.entries(journeys).entries()) {
      it(name, async () => {
        await using page = await start(variant);
        const unique = `Token ${VARIANTS.indexOf(variant)}-${index}`;
        await journey({ page, hand: HANDS[variant.by](page), variant, world: world(), unique });
      });
    }
  };
  make(PERSON_JOURNEYS, newPage);
  make(TOKEN_JOURNEYS, (options) => signedIn(world().acme.admin, options));
});
