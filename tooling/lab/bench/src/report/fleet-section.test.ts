import { expect, it } from 'vitest';
import type { Fleet, FleetResult } from '../parts/fleet/fleet.ts';
import { costPerNode, fleetRows, fleetSection } from './fleet-section.ts';

const aResult = (nodes: number): FleetResult => ({
  nodes,
  idleShare: 0.01 + nodes * 0.001,
  usageShare: 0.02 + nodes * 0.003,
  delaysMs: [1, 2, 3, nodes],
  paced: {
    revocations: 100,
    seconds: 10,
    cpuSeconds: 10 * (0.01 + nodes * 0.001) + 100 * (0.002 + nodes * 20e-6),
  },
  commitsPerSecond: [900, 1_000, 1_100],
  commitsBusy: [0.8, 0.9, 0.95],
  losses: { paced: 0, unpaced: 3 },
});

const fleet: Fleet = {
  emptyShare: 0.005,
  usesPerNode: 50,
  pacedPerSecond: 20,
  writers: 16,
  results: [aResult(1), aResult(100)],
};

it('the cost of a node is the difference between the smallest fleet and the largest', () => {
  const { idleMs, usageMs, revocationMicroseconds } = costPerNode(fleet) ?? {};
  expect(idleMs).toBeCloseTo(1);
  expect(usageMs).toBeCloseTo(2);
  expect(revocationMicroseconds).toBeCloseTo(20);
});

it('fleets of one size have no cost of a node', () => {
  expect(costPerNode({ ...fleet, results: [aResult(1)] })).toBeUndefined();
});

it('the section has a row for each size, and its picture two', () => {
  const section = fleetSection(fleet, 'fleet.svg');
  expect(section).toContain('| 1 | 4 | 1 | 3 | 3 | 0 |');
  expect(section).toContain('| 100 | 11 % | 32 % | 4 | 1,000 (900–1,100) | 90 % | 3 |');
  expect(fleetRows(fleet).map(({ label }) => label)).toEqual([
    '1 node, half of them',
    '1 node, 99 %',
    '100 nodes, half of them',
    '100 nodes, 99 %',
  ]);
});
