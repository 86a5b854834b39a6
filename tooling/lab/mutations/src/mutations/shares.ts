import { type Mutation, mutation } from '../mutation.ts';

/** Fairness between users and clients: requirements 49, 50, 52 and 72. */
export const SHARES: readonly Mutation[] = [
  mutation([49], 'Reads are made in their order of arrival, whatever their user.', {
    file: 'packages/postgres/src/database/pool/fair-reads.ts',
    find: 'if (!isOfNetwork(turn)) return queue(turn, read, isWanted);',
    replace: 'return queue(UNKNOWN, read, isWanted);',
  }),
  mutation([49], 'Each network of clients whose session is not known takes turns like a user.', {
    file: 'packages/postgres/src/database/pool/fair-reads.ts',
    find: 'if (!isOfNetwork(turn)) return',
    replace: 'return',
  }),
  mutation([49], 'Pages are read in their order of arrival, whatever their user.', {
    file: 'apps/server/src/page-turns.ts',
    find: "queue(caller.kind === 'user' ? caller.userId : undefined, work)",
    replace: 'queue(undefined, work)',
  }),
  mutation([50], 'Connections whose responses are not read are never closed for new ones.', {
    file: 'packages/front/src/unread-answers.ts',
    find: 'elapsedMs() - seen.since >= STALLED_AFTER_MS',
    replace: 'false',
  }),
  mutation([50], 'A body may keep arriving after the response for as long as any request.', {
    file: 'packages/front/src/protect.ts',
    find: '    limitLateBody(request, response, timeLimits.lateBody);\n',
  }),
  mutation([50], 'The oldest connection is closed for a new one, whatever its network.', {
    file: 'packages/front/src/connection-limits.ts',
    find: 'found !== undefined && sockets.size <= found.of',
    replace: 'found !== undefined',
  }),
  mutation([52], 'A client keeps its turn until it has no more requests.', {
    file: 'packages/front/src/client-queues.ts',
    find: 'if (queues.delete(client)) queues.set(client, queue);',
  }),
  mutation([52], 'Connections of proxies take turns, not the requests on them.', {
    file: 'packages/front/src/turns.ts',
    find: 'if (proxies?.isProxy(socket)) ofProxies.add(socket);\n    // Node reads on when a handler wants the body, or when a response is finished before the body has arrived.\n    else socket',
    replace: 'socket',
  }),
  mutation([72], 'Statements of extensions wait in their order of arrival, whatever their user.', {
    file: 'packages/postgres/src/database/pool/pool-share.ts',
    find: 'const user = userOfStatement();',
    replace: 'const user = userOfStatement() && undefined;',
  }),
  mutation([72], 'Statements of extensions are made for no user.', {
    file: 'apps/server/src/extension-routes.ts',
    find: '? onBehalfOf(',
    replace: '&& !onBehalfOf ? onBehalfOf(',
  }),
];
