import type { Command } from 'commander';
import type { Cli, ServerHealth } from '../cli.ts';
import { CommandError } from '../errors/command-error.ts';
import { outputOptions } from '../input/options.ts';
import { createPrinter } from '../output/printer.ts';
import type { OutputOptions } from '../output/view.ts';

interface Options extends OutputOptions {
  readonly live?: true;
}

export function health(program: Command, cli: Cli): void {
  const command = program
    .command('health')
    .description('Ask the server on this machine whether it is ready')
    .option('--live', 'Ask only whether the process answers, not whether it can use its database');
  outputOptions(command, {
    notes: [
      'Asks /ready or /live at OPS_HOST and OPS_PORT, for health checks of containers and services. A server that is degraded answers every request, and counts as ready. Exit status: 0 if it is ready, 1 if not or if no server answers.',
    ],
    examples: ['gatehouse health', 'gatehouse health --live'],
  });
  command.action(async ({ live, ...options }: Options) => {
    const answer = await cli.askServer(live ? '/live' : '/ready');
    const { url, status, body } = answer;
    if (status !== 200) throw new CommandError('fault', `${url} answers ${status}${reasonIn(answer)}`);
    if (options.quiet && !options.json) return;
    await createPrinter(cli, options).value(`${body.status ?? 'answers'}${reasonIn(answer)}`, body);
  });
}

/** Degraded servers give a reason, and servers that are not ready a problem. */
function reasonIn({ body }: ServerHealth): string {
  const reason = body.reason ?? body.title;
  return typeof reason === 'string' ? `: ${reason}` : '';
}
