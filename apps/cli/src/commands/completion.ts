import { Argument, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { answer } from '../completion/answer.ts';
import { SHELLS, type ShellName } from '../completion/shells.ts';
import { examples } from '../input/options.ts';
import { offer } from '../output/write.ts';

const shell = () => new Argument('<shell>', 'your shell').choices(Object.keys(SHELLS));

export function completion(program: Command, cli: Cli): void {
  program
    .command('completion')
    .description('print a script with which a shell completes commands, options, names and ids')
    .addArgument(shell())
    .addHelpText('after', INSTALLATION)
    .addHelpText(
      'after',
      examples(
        'source <(gatehouse completion bash)',
        'source <(gatehouse completion zsh)',
        'gatehouse completion fish | source',
      ),
    )
    .action(async (name: ShellName) => {
      await offer(cli.streams.stdout, SHELLS[name].script(cli.path));
    });

  program
    .command(COMPLETE, { hidden: true })
    .addArgument(shell())
    .argument('[words...]')
    .action(async (name: ShellName, words: readonly string[]) => {
      // Whoever presses a key is told nothing but what completes what they type.
      const lines = await answer(program, cli, name, words).catch(() => '');
      await offer(cli.streams.stdout, lines);
    });
}

/** What the scripts call. */
export const COMPLETE = '__complete';

const INSTALLATION = `
It completes the command \`gatehouse\`, which is in node_modules/.bin: put that folder on your PATH. To have it in
every shell, put the line of your shell below at the end of ~/.bashrc, of ~/.zshrc (after compinit), or of
~/.config/fish/config.fish. Names, ids and emails come from the database while it runs; a token's id is completed
once its first character is typed.`;
