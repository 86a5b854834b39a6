import type { TokenFormat } from '../tokens/token-format.ts';
import type { KeyReport } from './key-report.ts';
import type { SigningKey } from './signing-key.ts';

/** The keys of one format that need the operator's attention, and the active one. */
interface KeyRingHealth {
  readonly format: TokenFormat;
  /** The active key; undefined if there is none. */
  readonly active: SigningKey | undefined;
  /** Staged keys, oldest first. */
  readonly staged: readonly SigningKey[];
  /** Keys that can be retired at the time of the report without rejecting a live token. */
  readonly retirable: readonly SigningKey[];
}

export function keyRingHealth(
  reports: readonly KeyReport[],
  formats: readonly TokenFormat[],
): readonly KeyRingHealth[] {
  return formats.map((format) => {
    const ofFormat = reports.filter(({ key }) => key.format === format);
    const keys = (takes: (report: KeyReport) => boolean) => ofFormat.filter(takes).map(({ key }) => key);
    return {
      format,
      active: keys(({ key }) => key.state === 'active')[0],
      staged: keys(({ key }) => key.state === 'staged'),
      retirable: keys(({ retirableAt, at }) => retirableAt !== null && retirableAt <= at),
    };
  });
}
