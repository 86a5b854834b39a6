import { type Mutation, mutation } from '../mutation.ts';

/** Fairness between users and clients: requirements 49, 50, 52 and 72. */
export const SHARES: readonly Mutation[] = [
  mutation([49], 'Reads are made in their order of arrival, whatever their user.', {
    file: 'packages/postgres/src/database/pool/lanes.ts',
    find: "[[asker.lane === 'pages' ? pages : api, own]]",
    replace: "[[asker.lane === 'pages' ? pages : api, asker.lane === 'pages' ? own : (UNKNOWN as never)]]",
  }),
  mutation([49], 'Each network of clients whose session is not known takes turns like a user.', {
    file: 'packages/postgres/src/database/pool/lanes.ts',
    find: "if (asker.lane !== 'unknown') return",
    replace: 'return',
  }),
  mutation([49], 'Pages are read in their order of arrival, whatever their user.', {
    file: 'packages/postgres/src/database/pool/askers.ts',
    find: "askers.run({ lane: 'pages', key: user }, work)",
    replace: "askers.run({ lane: 'pages', key: 0 as UserId }, work)",
  }),
  mutation([49], 'Pages do not wait in their lane.', {
    file: 'packages/pages/src/in-page-lane.ts',
    find: "if (caller?.kind !== 'user') return work();",
    replace: 'if (caller) return work();',
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
    file: 'packages/queues/src/turn-order.ts',
    find: 'if (queues.delete(key)) queues.set(key, queue);',
  }),
  mutation([52], 'Connections of proxies take turns, not the requests on them.', {
    file: 'packages/front/src/turns.ts',
    find: 'if (isProxy?.(socket)) ofProxies.add(socket);\n    // Node also resumes a socket when a handler reads the body, or a response ends before the body has arrived.\n    else socket',
    replace: 'socket',
  }),
  mutation([72], 'Statements of extensions wait in their order of arrival, whatever their user.', {
    file: 'packages/postgres/src/database/pool/pool-share.ts',
    find: 'const user = userOf(currentAsker());',
    replace: 'const user = userOf(currentAsker()) && undefined;',
  }),
  mutation([72], 'Statements of extensions are made for no user.', {
    file: 'apps/server/src/extension-routes.ts',
    find: '? onBehalfOf(',
    replace: '&& !onBehalfOf ? onBehalfOf(',
  }),
];
