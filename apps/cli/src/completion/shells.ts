import { bash } from './bash.ts';
import { fish } from './fish.ts';
import type { Shell } from './shell.ts';
import { zsh } from './zsh.ts';

/**
 * Our own, because what there is ready-made has the shell evaluate what was answered, or inserts it unquoted: names
 * of tokens are anybody's choice.
 */
export const SHELLS = { bash, zsh, fish } as const satisfies Record<string, Shell>;

export type ShellName = keyof typeof SHELLS;
