import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a program until it exits, and collects its output.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<{ succeeded: boolean, output: string }>} the output of both streams as it came
 */
export async function runQuietly(command, args, { cwd, env = process.env }) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      output += text;
    });
  }
  try {
    const [status] = await once(child, 'close');
    return { succeeded: status === 0, output };
  } catch (error) {
    return { succeeded: false, output: `${output}${error}\n` };
  }
}
