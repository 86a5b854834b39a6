/**
 * What each of several processes answers, undefined for those that have not when it is late. The first answer is
 * waited for even then, without an end: where all of them are busy, it says that one answers. The caller sets the limit.
 */
export async function firstAnswers<T>(
  asked: readonly Promise<T>[],
  late: Promise<void>,
): Promise<readonly (T | undefined)[]> {
  if (asked.length > 0) await Promise.race(asked);
  return Promise.all(asked.map((answer) => Promise.race([answer, late.then(() => undefined)])));
}
