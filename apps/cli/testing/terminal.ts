import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';
import { environment, PROGRAM, type ProcessEnvironment } from './process.ts';

export interface Terminal {
  /** Waits until the terminal shows this text, with any line breaks, after all text that was waited for before. */
  shows(words: string): Promise<void>;
  type(keys: string): void;
  /** Types the keys once the terminal shows this question. */
  answer(question: string, keys: string): Promise<void>;
  /** Resolves with the exit status. */
  readonly ended: Promise<number>;
  /** Returns all text so far, without cursor movements. */
  shown(): string;
  /** Returns all output so far, unchanged. */
  sent(): string;
  kill(signal: NodeJS.Signals): void;
}

export const CTRL_C = '\u0003';
export const CTRL_D = '\u0004';
export const ENTER = '\r';

/** Starts the program at a pseudo-terminal. */
export function openTerminal(settings: ProcessEnvironment, args: readonly string[]): Terminal {
  return openTerminalFor(process.execPath, [PROGRAM, ...args], environment({ TERM: 'xterm', ...settings }));
}

/** Starts any program at a pseudo-terminal. */
export function openTerminalFor(
  file: string,
  args: readonly string[],
  env: Record<string, string>,
  cwd?: string,
): Terminal {
  const pty = spawn(file, [...args], { env, cols: 120, rows: 40, ...(cwd !== undefined && { cwd }) });
  let output = '';
  let sent = '';
  let seen = 0;
  const waiting = new Set<() => void>();
  pty.onData((data) => {
    sent += data;
    output += stripVTControlCharacters(data);
    for (const look of waiting) look();
  });
  const ended = new Promise<number>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));

  const shows = (words: string) =>
    new Promise<void>((resolve, reject) => {
      const pattern = words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s+');
      const wanted = new RegExp(pattern, 'g');
      const look = () => {
        wanted.lastIndex = seen;
        if (!wanted.test(output)) return;
        seen = wanted.lastIndex;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
      void ended.then(() => reject(new Error(`ended without showing "${words}": ${output}`)));
    });

  return {
    shows,
    async answer(question, keys) {
      await shows(question);
      pty.write(keys);
    },
    type: (keys) => pty.write(keys),
    ended,
    shown: () => output,
    sent: () => sent,
    kill: (signal) => pty.kill(signal),
  };
}
