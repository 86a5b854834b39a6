import type { NoticeName } from '../../elements/notice.ts';

/** The names of the notices, by the number of recovery codes that are left. */
const NAMES = [
  'recovery_codes_left_0',
  'recovery_codes_left_1',
  'recovery_codes_left_2',
  'recovery_codes_left_3',
  'recovery_codes_left_4',
  'recovery_codes_left_5',
  'recovery_codes_left_6',
  'recovery_codes_left_7',
  'recovery_codes_left_8',
  'recovery_codes_left_9',
] as const satisfies readonly NoticeName[];

/** The name of the notice that a recovery code was used, and how many are left. */
export const recoveryCodeNotice = (left: number): NoticeName => NAMES[left] ?? 'recovery_codes_left_9';
