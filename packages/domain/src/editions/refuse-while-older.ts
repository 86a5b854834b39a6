import type { Ports } from '../ports.ts';
import { err, ok, type Result } from '../result.ts';
import type { OlderEditionServes } from './editions.ts';

/** Refuses a new restriction while a program of an older edition would not obey it. */
export async function refuseWhileOlder({
  editions,
}: Ports<'editions'>): Promise<Result<void, OlderEditionServes>> {
  const programs = await editions.findOlder();
  return programs.length === 0 ? ok(undefined) : err({ code: 'older_edition_serves', programs });
}
