import { Argument, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { answer } from '../completion/answer.ts';
import { SHELLS, type ShellName } from '../completion/shells.ts';
import { describe } from '../input/help.ts';
import { offer } from '../output/write.ts';

const shell = () => new Argument('<shell>', 'Your shell').choices(Object.keys(SHELLS));

export function completion(program: Command, cli: Cli): void {
  const command = program
    .command('completion')
    .description('Print a script that completes commands, options, names and ids in your shell')
    .addArgument(shell());
  describe(command, {
    notes: [
      "The script completes the command `gatehouse`, which is in node_modules/.bin: put that folder on your PATH. To load it in every shell, add your shell's line below to the end of ~/.bashrc, of ~/.zshrc (after compinit), or of ~/.config/fish/config.fish. Names, ids and emails come from the database while it runs; a token's id is completed after its first character.",
    ],
    examples: [
      'source <(gatehouse completion bash)',
      'source <(gatehouse completion zsh)',
      'gatehouse completion fish | source',
    ],
  });
  command.action(async (name: ShellName) => {
    await offer(cli.streams.stdout, SHELLS[name].script(cli.path));
  });

  program
    .command(COMPLETE, { hidden: true })
    .addArgument(shell())
    .argument('[words...]')
    .action(async (name: ShellName, words: readonly string[]) => {
      // Errors are silent, because a message would appear in the middle of the line that the user is typing.
      const lines = await answer(program, cli, name, words).catch(() => '');
      await offer(cli.streams.stdout, lines);
    });
}

/** The hidden command that the scripts call. */
export const COMPLETE = '__complete';
