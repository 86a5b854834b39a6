import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { bytesFor, requireRoom } from './disk-room.ts';

it('ten million tokens with fifty million events need less than 100 GB', () => {
  const bytes = bytesFor({ tokens: 10_000_000, eventsPerToken: 5 });
  expect(bytes).toBeGreaterThan(50e9);
  expect(bytes).toBeLessThan(100e9);
});

it('a disk without room is refused, with what is needed and what to do', async () => {
  const size = { tokens: 1e12, eventsPerToken: 5 };
  await expect(requireRoom(tmpdir(), size)).rejects.toThrow(
    /need [\d,]+ GB of disk, and .* has \d+ GB: .*--tokens/,
  );
});
