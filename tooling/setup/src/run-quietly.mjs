import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a program until it exits, and collects its output.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<{ succeeded: boolean, output: string }>} the output of both streams in its order
 */
export async function runQuietly(command, args, { cwd, env = process.env }) {
  // npm would run compiled code that another user of the machine may have put into the temporary folder.
  const itsEnv = { ...env, NODE_DISABLE_COMPILE_CACHE: '1' };
  const child = spawn(command, args, { cwd, env: itsEnv, stdio: ['ignore', 'pipe', 'pipe'] });
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
