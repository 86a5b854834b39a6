import { expect, it } from 'vitest';
import type { GuardSample } from '../parts/verifier/guard-cost.ts';
import type { VerifierCost } from '../parts/verifier/verifier.ts';
import { verifierRevocationSection } from './verifier-revocation-section.ts';
import { guardRows, verifierSection } from './verifier-section.ts';

const sample = (service: number, authority = 0, database = 0): GuardSample[] => [
  { service, authority, database, total: service + authority + database, p50Ms: 1 },
];

const COST: VerifierCost = {
  checks: {
    tokens: 10_000,
    checkMicroseconds: [2, 2.5, 4],
    keyMicroseconds: [0.5, 0.5, 0.6],
    bytesPerToken: 900,
  },
  pairs: { bare: [10, 20], verifier: [11, 23] },
  guards: {
    bare: sample(12),
    verifier: sample(15),
    signature: sample(150),
    gatehouse: sample(150, 300, 150),
    'oidc-provider': sample(150, 210),
  },
};

it('a request costs what all processes do for it', () => {
  expect(guardRows(COST).map(({ value }) => value)).toEqual([12, 15, 150, 600, 360]);
  const section = verifierSection(COST, 'chart.svg', 'Here.');
  expect(section).toContain(
    '| introspection for each request, at oidc-provider | 360 (360–360) | 150 (150–150) | 210 (210–210) |  | 24 (24–24) |',
  );
});

it('checks are counted for a second of CPU, and a pair is compared with itself', () => {
  const section = verifierSection(COST, 'chart.svg', 'Here.');
  expect(section).toContain('| at least 300,000 /s (goal 600,000) | 400,000 /s (250,000–500,000) | held |');
  expect(section).toContain('| at most 1.15 x (goal 1.08) | 1.13 x (1.1–1.15) | held |');
});

it('the age of knowledge is that which 99 of 100 checks did not exceed', () => {
  const ages = [0, 0, 50, 49, 0, 1];
  const count = { checks: 100, undecided: 1, ages, timersLateMs: 2 };
  const revocation = { servers: 2, verifiers: 100, ratePerServer: 500, delaysMs: [0, 3], count };
  const section = verifierRevocationSection(revocation, 0.5);
  expect(section).toContain('| at most 600 ms (goal 350) | 3 ms | held |');
  expect(section).toContain('| at most 0.1 % (goal 0.01) | 1 % | **missed** |');
  expect(section).toContain('other programs used 50 % of the cores');
});
