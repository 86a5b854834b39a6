import { DIAGRAMS, printDiagram } from '@gatehouse/diagrams';
import { expect, test } from 'vitest';
import { findDrawingFaults } from './find-drawing-faults.ts';
import { newPage } from './index.ts';

test.each([
  ['the font of this machine', ''],
  ['a font that is a tenth wider', 'text{letter-spacing:.8px}'],
])('with %s, the texts of each diagram fit, and nothing crosses them', async (_, style) => {
  await using page = await newPage({ width: 400 });
  for (const diagram of DIAGRAMS) {
    await page.setContent(printDiagram(diagram).replace('</style>', `${style}</style>`));
    expect(await page.locator('svg text').count()).toBeGreaterThan(5);
    const faults = await findDrawingFaults(page);
    expect(faults.map((fault) => `${diagram.name}: ${fault}`)).toEqual([]);
  }
});

test.each([
  ['<text x="9" y="40">A text</text><text x="20" y="44">Another</text>', '"A text" overlaps "Another"'],
  [
    '<rect x="5" y="5" width="60" height="90"/><text x="9" y="40">A long line of text</text>',
    '"A long line of text" is wider than its box',
  ],
  ['<path class="arrow" d="M20 0L20 90"/><text x="9" y="40">A text</text>', 'an arrow crosses "A text"'],
])('%s has a fault', async (shapes, fault) => {
  await using page = await newPage({ width: 400 });
  await page.setContent(
    `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><style>text { font: 15px sans-serif }</style>${shapes}</svg>`,
  );
  expect(await findDrawingFaults(page)).toEqual([fault]);
});
