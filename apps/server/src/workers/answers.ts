/**
 * Returns the responses of several processes, undefined for a process that has not responded when `late` resolves. Even
 * then it waits for the first response without a limit, because all processes may be busy; the caller sets the limit.
 */
export async function firstAnswers<T>(
  asked: readonly Promise<T>[],
  late: Promise<void>,
): Promise<readonly (T | undefined)[]> {
  if (asked.length > 0) await Promise.race(asked);
  return Promise.all(asked.map((answer) => Promise.race([answer, late.then(() => undefined)])));
}
