import { createVisitor } from '@gatehouse/faults/visitor';
import { emailOf, PASSWORD } from '../../population/directory.ts';
import type { LargeDirectory } from '../../population/large/large-directory.ts';
import { startGatehouse } from '../../servers/gatehouse.ts';
import { ORIGIN, PATHS } from '../pages.ts';

/** How long a page takes, from the request to the end of its response, in seconds; one value for each round. */
export interface PageTime {
  readonly path: string;
  /** The tokens of the account. */
  readonly tokens: number;
  readonly seconds: readonly number[];
}

/** Times the pages of an account with a hundred tokens, and of the account with one in a hundred of all tokens. */
export async function timePages(directory: LargeDirectory, rounds: number): Promise<readonly PageTime[]> {
  await using server = await startGatehouse(directory, { PUBLIC_URL: ORIGIN });
  const results: PageTime[] = [];
  for (const { user, tokens } of [
    { user: 2, tokens: 100 },
    { user: 1, tokens: directory.size.tokens / 100 },
  ]) {
    const visitor = createVisitor({ origin: ORIGIN, urls: [server.announcement.url] });
    await visitor.signIn({ email: emailOf(user), password: PASSWORD });
    const { text: list } = await visitor.ask('/settings/api');
    const [, id] = /href="api\/([0-9a-f-]{36})"/.exec(list) ?? [];
    if (id === undefined) throw new Error('the list has no token');
    for (const path of PATHS) {
      const seconds: number[] = [];
      // The first round also plans the statements, and does not count.
      for (let round = 0; round <= rounds; round += 1) {
        const begun = performance.now();
        const { status } = await visitor.ask(path.replace('{id}', id));
        if (status !== 200) throw new Error(`${path} is answered with status ${status}`);
        if (round > 0) seconds.push((performance.now() - begun) / 1000);
      }
      results.push({ path, tokens, seconds });
    }
  }
  return results;
}
