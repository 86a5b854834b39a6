import type { TokenFormat } from '../tokens/token-format.ts';
import type { KeyReport } from './key-report.ts';
import type { SigningKey } from './signing-key.ts';

/** How the keys of one format stand: what there is to do about them, if anything. */
export interface KeyRingHealth {
  readonly format: TokenFormat;
  /** The key that signs; undefined where nothing can be signed. */
  readonly active: SigningKey | undefined;
  /** Keys that wait to be activated, since `createdAt`; oldest first. */
  readonly staged: readonly SigningKey[];
  /** Keys that could retire at the moment of the report, without ending a token. */
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
