import type { Mutation } from '../mutation.ts';

/** What one user or client may not take from others: requirements 49, 50 and 52. */
export const SHARES: readonly Mutation[] = [
  {
    requirements: [49],
    change: 'Reads go to the pool as they come, whichever user needs them.',
    edits: [
      {
        file: 'packages/postgres/src/database/fair-reads.ts',
        find: 'const admitted = await queue(turn, read, isWanted);',
        replace: 'if (isWanted()) return read();\n    const admitted = await queue(turn, read, isWanted);',
      },
    ],
  },
  {
    requirements: [50],
    change: 'Connections on which answers are not read never give way.',
    edits: [
      {
        file: 'apps/server/src/http/unread-answers.ts',
        find: 'elapsedMs() - seen.since >= STALLED_AFTER_MS',
        replace: 'false',
      },
    ],
  },
  {
    requirements: [50],
    change: 'A body may go on coming after the answer for as long as any request.',
    edits: [
      {
        file: 'apps/server/src/http/http-server.ts',
        find: '    limitLateBody(request, response, timeLimits.lateBody);\n',
        replace: '',
      },
    ],
  },
  {
    requirements: [50],
    change: 'The oldest connection gives way, of whatever network it is.',
    edits: [
      {
        file: 'apps/server/src/http/connection-limits.ts',
        find: 'found !== undefined && sockets.size <= found.of',
        replace: 'found !== undefined',
      },
    ],
  },
  {
    requirements: [52],
    change: 'A client has its turns until it has nothing that waits.',
    edits: [
      {
        file: 'apps/server/src/http/client-queues.ts',
        find: 'if (queues.delete(client)) queues.set(client, queue);',
        replace: '',
      },
    ],
  },
  {
    requirements: [52],
    change: 'Connections of proxies take turns, not the requests on them.',
    edits: [
      {
        file: 'apps/server/src/http/turns.ts',
        find: 'if (proxies?.isProxy(socket)) ofProxies.add(socket);\n    // Node reads on when a handler wants the body, or when a response is finished before the body has come.\n    else socket',
        replace: 'socket',
      },
    ],
  },
];
