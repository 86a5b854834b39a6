import { fstatSync } from 'node:fs';
import { openFileOutput } from './file-output.ts';
import type { LineSource, LogOutput } from './log-output.ts';
import { openPipeOutput } from './pipe-output.ts';

/**
 * Opens the output for a file descriptor, which workers share. Linux keeps their writes to a file apart, whatever their
 * length, but writes to a pipe or a socket only up to 4,096 bytes.
 */
export function openLogOutput(fd: number, source: LineSource): LogOutput {
  const status = fstatSync(fd);
  return status.isFIFO() || status.isSocket() ? openPipeOutput(fd, source) : openFileOutput(fd, source);
}
