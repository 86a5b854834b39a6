import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandBlocksOf } from '@gatehouse/checks/command-blocks';
import { recordSkip } from '@gatehouse/fault-figures';
import { describe, expect, test } from 'vitest';
import { build, builder, copyFolder } from './manifests.ts';

const DOCUMENT = 'docs/operate/kubernetes.md';
const BLOCKS = commandBlocksOf(DOCUMENT).filter(({ language }) => language === 'sh');
const SECRETS_BLOCK = BLOCKS.find(({ text }) => text.includes('secrets/master_key'));
const KUBECTL_LINES = BLOCKS.flatMap(({ text }) => text.split('\n')).filter((line) =>
  line.startsWith('kubectl '),
);

const hasKubectl = builder?.[0] === 'kubectl';
if (!hasKubectl) {
  recordSkip(`the commands of ${DOCUMENT}`, 'kubectl is not installed (apt-get install kubernetes-client)');
}

/** A cluster that refuses every connection. */
const NO_CLUSTER = `apiVersion: v1
kind: Config
clusters: [{ name: none, cluster: { server: "http://127.0.0.1:1" } }]
contexts: [{ name: none, context: { cluster: none } }]
current-context: none
`;

test('every line is a command of kubectl, or writes the secrets', () => {
  const others = BLOCKS.filter((block) => block !== SECRETS_BLOCK).flatMap(({ text }) =>
    text.split('\n').filter((line) => line !== '' && !KUBECTL_LINES.includes(line)),
  );
  expect(others).toEqual([]);
  expect(KUBECTL_LINES.length).toBeGreaterThan(10);
});

test('commands that run in a pod are commands of Gatehouse, with options that it has', () => {
  const reference = readFileSync(
    fileURLToPath(new URL('../../../docs/administer/cli.md', import.meta.url)),
    'utf8',
  );
  const commands = KUBECTL_LINES.flatMap((line) => / -- gatehouse (.+)/.exec(line)?.[1] ?? []);
  expect(commands.length).toBeGreaterThan(3);
  for (const command of commands) {
    const [name = ''] = command.split(' --');
    const [, section = ''] = reference.split(`\n### ${name}\n`);
    const own = section.split('\n### ')[0] ?? '';
    expect(own, name).not.toBe('');
    for (const [option] of command.matchAll(/--[a-z-]+/g)) expect(own, name).toContain(option);
  }
});

describe.skipIf(!hasKubectl)('with kubectl', () => {
  test('the secrets that are written are those of the example', () => {
    using copy = copyFolder();
    rmSync(join(copy.example, 'secrets'), { recursive: true });
    const checkout = fileURLToPath(new URL('../../..', import.meta.url));
    const text = SECRETS_BLOCK?.text.replace('/path/to/the/checkout/', checkout) ?? '';
    const { status, stderr } = spawnSync('bash', ['-ec', text], {
      cwd: copy.folder,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const secret = build(copy.example).find(({ kind }) => kind === 'Secret');
    const read = (name: string) =>
      Buffer.from(secret?.data?.[name] ?? '', 'base64')
        .toString()
        .trim();
    expect(read('master_key')).toMatch(/^[\w-]{43}$/);
    expect(new URL(read('database_url')).pathname).toBe('/gatehouse');
    expect(new URL(read('database_listen_url')).pathname).toBe('/gatehouse');
  });

  test.each(KUBECTL_LINES)('kubectl understands: %s', (line) => {
    using copy = copyFolder();
    const config = join(copy.folder, 'config');
    writeFileSync(config, NO_CLUSTER, { mode: 0o600 });
    const run = (command: string) =>
      spawnSync('bash', ['-ec', command], {
        cwd: copy.example,
        encoding: 'utf8',
        env: { ...process.env, KUBECONFIG: config, HOME: copy.folder },
        timeout: 60_000,
      });
    const outcome = run(line.replace(' -it ', ' '));
    // It gets as far as the cluster, or needs none.
    if (outcome.status !== 0) expect(outcome.stderr).toMatch(/connection refused|was refused/);
    expect(outcome.stderr).not.toMatch(/unknown|error: (flag|required|at least)/);
  });
});
