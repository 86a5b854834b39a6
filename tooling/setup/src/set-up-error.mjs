/** The number of lines of a tool's output to show: the reason comes last. */
const LINES_SHOWN = 20;

/** An expected failure of the set-up. The message is one line, `details` is a tool's output. */
export class SetUpError extends Error {
  /**
   * @param {string} message
   * @param {string} [details]
   */
  constructor(message, details = '') {
    super(message);
    this.details = details;
  }
}

/**
 * Runs a script of this folder; prints expected failures without a stack.
 * @param {() => Promise<number>} main answers the exit status
 */
export async function runMain(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    const said = error.details.trimEnd().split('\n').slice(-LINES_SHOWN).join('\n');
    if (said !== '') console.error(said);
    console.error(error.message);
    process.exitCode = 1;
  }
}
