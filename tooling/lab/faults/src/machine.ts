import { cpus, totalmem } from 'node:os';

/** Describes the machine in a few words for docs/develop/reliability.md. */
export function describeMachine(): string {
  const processors = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const processor = processors[0]?.model.trim() ?? 'an unknown processor';
  return `${processors.length} cores of ${processor}, ${gigabytes} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
}
