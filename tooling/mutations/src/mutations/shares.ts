import type { Mutation } from '../mutation.ts';

/** Fairness between users and clients: requirements 49, 50 and 52. */
export const SHARES: readonly Mutation[] = [
  {
    requirements: [49],
    change: 'Reads go to the pool in their order of arrival, whatever their user.',
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
    change: 'Connections whose responses are not read are never closed for new ones.',
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
    change: 'A body may keep arriving after the response for as long as any request.',
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
    change: 'The oldest connection is closed for a new one, whatever its network.',
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
    change: 'A client keeps its turn until it has no more requests.',
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
