import { cpus, totalmem } from 'node:os';
import type { Cores } from './cores.ts';

/** Where and when something was measured: figures of two machines are not comparable. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGigabytes: number;
  readonly node: string;
  readonly system: string;
  readonly date: string;
  /** Whether the server had a core to itself. */
  readonly pinned: boolean;
}

export function describeMachine(cores: Cores | undefined): Machine {
  const processors = cpus();
  return {
    processor: processors[0]?.model.trim() ?? 'unknown processor',
    cores: processors.length,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    system: `${process.platform} ${process.arch}`,
    date: new Date().toISOString().slice(0, 10),
    pinned: cores !== undefined,
  };
}
