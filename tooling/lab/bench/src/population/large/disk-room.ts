import { statfs } from 'node:fs/promises';
import type { LargeSize } from './bulk-load.ts';

/**
 * The disk space of a token and of an event with all their indexes, and the temporary space for building the largest
 * index.
 */
const BYTES = { perToken: 1_700, perEvent: 550, perEventWhileSorting: 100 };
/** Write-ahead log, and room for other programs. */
const RESERVE_BYTES = 8e9;

/** Returns how many bytes a directory takes while it is filled. */
export function bytesFor({ tokens, eventsPerToken }: LargeSize): number {
  const perEvent = BYTES.perEvent + BYTES.perEventWhileSorting;
  return tokens * (BYTES.perToken + eventsPerToken * perEvent) + RESERVE_BYTES;
}

/** Throws an error with a readable message unless the folder's disk has room. */
export async function requireRoom(folder: string, size: LargeSize): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const [needed, free] = [bytesFor(size), bavail * bsize];
  if (free >= needed) return;
  const events = size.tokens * size.eventsPerToken;
  throw new Error(
    `${size.tokens.toLocaleString('en')} tokens and ${events.toLocaleString('en')} events need ${gigabytes(needed)} of disk, and ${folder} has ${gigabytes(free)}: name another folder with --keep, or fewer tokens with --tokens`,
  );
}

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(0)} GB`;
