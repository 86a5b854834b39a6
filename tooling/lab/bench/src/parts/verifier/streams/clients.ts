// A process that reads streams of changes of one server and ignores what it reads, so that it costs little itself.
import { randomBytes } from 'node:crypto';
import { Agent, get } from 'node:http';
import type { StreamsOrder, StreamsPlan, StreamsReport } from './messages.ts';

const { url, credentials }: StreamsPlan = JSON.parse(process.argv[2] ?? '');
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
/** How many requests for streams are under way. */
const AT_ONCE = 10;

const tell = (report: StreamsReport) => process.send?.(report);

/** The open streams: functions that leave them. */
const open = new Set<() => void>();
let bytes = 0;

/** Resolves when the first line has arrived. */
function openStream(index: number): Promise<void> {
  const path = `/api/v1/token-changes?nonce=${randomBytes(24).toString('base64url')}`;
  const service = index % credentials.length;
  const headers = { authorization: `Bearer ${credentials[service]}` };
  // Each service is on its own machine: a server limits the connections of one address.
  const localAddress = `127.0.0.${2 + service}`;
  return new Promise((resolve, reject) => {
    const request = get(`${url}${path}`, { agent, headers, localAddress }, (response) => {
      if (response.statusCode !== 200)
        return reject(new Error(`the stream was answered with ${response.statusCode}`));
      const leave = () => request.destroy();
      open.add(leave);
      response.once('data', () => resolve());
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('close', () => open.delete(leave));
      response.on('error', () => undefined);
    });
    request.on('error', reject);
  });
}

async function openAll(count: number): Promise<void> {
  const left = Array.from({ length: count }, (_, index) => index).values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const index of left) await openStream(index);
    }),
  );
}

function leaveAll(): void {
  for (const leave of open) leave();
}

process.on('message', async (order: StreamsOrder) => {
  if ('open' in order) await openAll(order.open);
  else if ('leave' in order) leaveAll();
  tell({ open: open.size, bytes });
});
process.on('disconnect', () => process.exit());
