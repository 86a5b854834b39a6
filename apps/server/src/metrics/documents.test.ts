import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { idleParts } from '../../testing/metrics.ts';
import { createMailMetrics } from './mail-metrics.ts';
import { createMetrics } from './metrics.ts';
import { createReactionMetrics } from './reaction-metrics.ts';
import { createWebhookMetrics } from './webhook-metrics.ts';

const read = (name: string) => readFile(new URL(`../../../../docs/operate/${name}`, import.meta.url), 'utf8');

interface Panel {
  readonly id: number;
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
  readonly targets: readonly { readonly expr: string }[];
}

const namesIn = (text: string) =>
  new Set([...text.matchAll(/gatehouse_[a-z_]+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, '')));

async function ownNames() {
  const parts = [
    createMetrics(idleParts()),
    createReactionMetrics(),
    createMailMetrics(),
    createWebhookMetrics(),
  ];
  const snapshots = parts.map((each) => each.snapshot());
  const snapshot = (await Promise.all(snapshots)).flat();
  return new Set(snapshot.map(({ name }) => name).filter((name) => name.startsWith('gatehouse_')));
}

test('every metric of our own is explained to those who run it, and no other', async () => {
  expect([...namesIn(await read('monitoring.md'))].sort()).toEqual([...(await ownNames())].sort());
});

test.each(['alerts.yml', 'grafana-dashboard.json'])('%s asks for metrics that there are', async (name) => {
  const asked = namesIn(await read(name));
  expect(asked.size).toBeGreaterThan(5);
  const own = await ownNames();
  expect([...asked].filter((metric) => !own.has(metric))).toEqual([]);
});

test('every metric of our own is on the dashboard', async () => {
  const shown = namesIn(await read('grafana-dashboard.json'));
  expect([...(await ownNames())].filter((metric) => !shown.has(metric))).toEqual([]);
});

test('the dashboard draws each panel in a place of its own, from the job that is chosen', async () => {
  const { panels } = JSON.parse(await read('grafana-dashboard.json')) as {
    readonly panels: readonly Panel[];
  };
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const { expr } of panels.flatMap(({ targets }) => targets))
    for (const [selected] of expr.matchAll(/(?:gatehouse|nodejs|process)_\w+(?:\{[^}]*\})?/g))
      expect(selected).toContain('job="$job"');
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool) {
  process.stderr.write(
    'SKIPPED: alerts.yml was not checked: there is no promtool (apt-get install prometheus)\n',
  );
}

test.skipIf(!hasPromtool)('alerts.yml is read by promtool', () => {
  const file = fileURLToPath(new URL('../../../../docs/operate/alerts.yml', import.meta.url));
  const { status, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
