import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { recordLog } from '../../testing/log.ts';
import { connectionsWithin, watchOpenFiles } from './open-files.ts';

const OPEN_FILES = fileURLToPath(new URL('open-files.ts', import.meta.url));

describe('the connections that a process takes', () => {
  test.each([
    [undefined, 10_000],
    [16_384, 10_000],
    [11_200, 10_000],
    [4_096, 2_896],
    [1_024, 512],
    [1, 1],
  ])('leave enough files for everything else if the limit is %s', (openFiles, connections) => {
    expect(connectionsWithin(openFiles, 10_000)).toBe(connections);
  });
});

describe('a process that can open no file', () => {
  test('logs it once a minute, with a remedy', () => {
    vi.useFakeTimers();
    const { log, entries } = recordLog();
    let now = 0;
    const openFile = () => {
      throw Object.assign(new Error(), { code: 'EMFILE' });
    };
    using _watch = watchOpenFiles({ log, openFile, elapsedMs: () => now });
    for (; now < 61_000; now += 1_000) vi.advanceTimersByTime(1_000);
    vi.useRealTimers();
    expect(entries()).toMatchObject([
      {
        level: 'error',
        code: 'EMFILE',
        failures: 1,
        msg: expect.stringContaining('raise LimitNOFILE (ulimit -n)'),
      },
      { code: 'EMFILE', failures: 60 },
    ]);
  });

  test('detects it under a limit of the system, although Node does not notice refused connections', async () => {
    const program = `
      import { createServer, connect } from 'node:net';
      import { watchOpenFiles, openFilesLimit } from ${JSON.stringify(OPEN_FILES)};
      const log = { error: (numbers) => { process.stdout.write(openFilesLimit_ + ' ' + numbers.code); process.exit(0); } };
      const openFilesLimit_ = openFilesLimit();
      const server = createServer().on('error', () => process.exit(3)).listen(0, '127.0.0.1', () => {
        // Node closes connections that it cannot accept, so each is made again.
        const open = () => connect(server.address().port, '127.0.0.1')
          .on('error', () => undefined).on('close', () => setTimeout(open, 5));
        for (let count = 0; count < 200; count += 1) open();
      });
      watchOpenFiles({ log, everyMs: 20 });`;
    const command = 'ulimit -n 64; exec "$0" --input-type=module --eval "$1"';
    const child = spawn('sh', ['-c', command, process.execPath, program], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 60_000,
      killSignal: 'SIGKILL',
    });
    let out = '';
    child.stdout.on('data', (text) => {
      out += text;
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(out).toBe('64 EMFILE');
  });
});
