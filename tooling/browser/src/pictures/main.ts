// npm run pictures: takes the pictures of the main pages, light and dark, for docs/pictures.
import { fileURLToPath } from 'node:url';
import { newPage, picture, signIn, startWorld } from '../index.ts';
import { openBrowser } from '../open-browser.ts';
import { makeBelievableTokens } from './believable-tokens.ts';
import { PAGES } from './pages.ts';

const FOLDER = fileURLToPath(new URL('../../../../docs/pictures/', import.meta.url));

/** The width in CSS pixels: enough for the tables, and a small file. */
const WIDTH = 960;

await using world = await startWorld();
const idOf = await makeBelievableTokens(world);
for (const colorScheme of ['light', 'dark'] as const) {
  await using page = await newPage({ width: WIDTH, colorScheme });
  let isAda = false;
  // The pages of visitors come first, because they look different after the sign-in.
  for (const { name, path, signedIn, goOn } of PAGES.toSorted(
    (a, b) => Number(a.signedIn) - Number(b.signedIn),
  )) {
    if (signedIn && !isAda) {
      await signIn(page, world, world.acme.admin);
      isAda = true;
    }
    const response = await page.goto(new URL(path(idOf('ERP')), world.url).href);
    if (response?.status() !== 200) {
      console.error(`${name} is no page: ${response?.status()}`);
      process.exitCode = 1;
      continue;
    }
    await goOn?.(page, colorScheme);
    await picture(page, `${FOLDER}${name}-${colorScheme}.png`);
    console.log(`docs/pictures/${name}-${colorScheme}.png`);
  }
}
await (await openBrowser()).close();
