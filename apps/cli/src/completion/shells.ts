import { bash } from './bash.ts';
import { fish } from './fish.ts';
import type { Shell } from './shell.ts';
import { zsh } from './zsh.ts';

/**
 * Our own scripts, because those of libraries let the shell evaluate completions, or insert them unquoted, and any
 * admin can choose a token's name.
 */
export const SHELLS = { bash, zsh, fish } as const satisfies Record<string, Shell>;

export type ShellName = keyof typeof SHELLS;
