import type { AddressInfo, Server } from 'node:net';
import type { Announcement } from '../servers/server-process.ts';

/** Listens on a free port, and reports it to the benchmark. */
export function announce(server: Server, more: Omit<Announcement, 'url'> = {}): void {
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    print({ url: `http://127.0.0.1:${port}`, ...more });
  });
}

export function print(announcement: Announcement): void {
  process.on('disconnect', () => process.exit());
  process.stdout.write(`${JSON.stringify(announcement)}\n`);
}

/** Returns a setting that the benchmark always passes. */
export function given(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}
