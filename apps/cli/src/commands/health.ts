import type { ServerHealth } from '../cli.ts';
import { defineAlone } from '../described/kinds.ts';
import { CommandError } from '../errors/command-error.ts';

const health = defineAlone({
  verb: 'health',
  summary: 'Ask the server on this machine whether it is ready',
  options: {
    live: { description: 'Ask only whether the process answers, not whether it can use its database' },
  },
  notes: [
    'Asks /ready, or /live with --live, at OPS_HOST and OPS_PORT. Use it for health checks of containers and services. A degraded server still answers every request, so it counts as ready. Exit status: 0 if the server is ready, 1 if it is not or if no server answers.',
  ],
  examples: ['gatehouse health', 'gatehouse health --live'],
  prints: 'item',
  async alone({ live }, { cli, output, printer }) {
    const answer = await cli.askServer(live ? '/live' : '/ready');
    const { url, status, body } = answer;
    if (status !== 200) throw new CommandError('fault', `${url} answers ${status}${reasonIn(answer)}`);
    if (output.quiet && !output.json) return;
    await printer.value(`${body.status ?? 'answers'}${reasonIn(answer)}`, body);
  },
});

/** Returns why a server is degraded (`reason`) or not ready (the title of the problem), to append to a message. */
function reasonIn({ body }: ServerHealth): string {
  const reason = body.reason ?? body.title;
  return typeof reason === 'string' ? `: ${reason}` : '';
}

export const commands = [health];
