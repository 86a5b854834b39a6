import { type Mutation, mutation } from '../mutation.ts';

const VERIFIER = 'packages/verifier/src';
const RULES = `${VERIFIER}/core/rules.ts`;
const CHANGES = 'packages/token-changes/src/token-changes.ts';

/** Verifiers in services, and the stream that tells them of changes: requirements 87 to 93. */
export const VERIFIER_MUTATIONS: readonly Mutation[] = [
  mutation([87], 'A verifier decides on knowledge of any age.', {
    file: `${VERIFIER}/core/knowledge.ts`,
    find: 'return age !== undefined && age <= longestMs;',
    replace: 'return age !== undefined;',
  }),
  mutation([87], 'An answer that comes late decides.', {
    file: RULES,
    find: 'waitedMs * (1 + RATE) > longestMs',
    replace: 'waitedMs * (1 + RATE) > 10 * longestMs',
  }),
  mutation([88], 'A verifier remembers tokens of which a change was told.', {
    file: `${VERIFIER}/core/knowledge.ts`,
    find: 'memory.drop(handle);',
  }),
  mutation([89], 'A server proves while its change feed is not fresh.', {
    file: CHANGES,
    find: 'heard && isFresh() ?',
    replace: 'heard ?',
  }),
  mutation([89], 'A proof is written before the changes that it covers.', {
    file: CHANGES,
    find: 'recent.flush();\n    const known',
    replace: 'const known',
  }),
  mutation([89], 'A server that has just started claims to tell again 10 seconds.', {
    file: 'packages/token-changes/src/recent-changes.ts',
    find: 'Math.max(begunAt, monotonicClock.elapsedMs() - KEPT_MS)',
    replace: 'monotonicClock.elapsedMs() - KEPT_MS',
  }),
  mutation([90], 'All services get the same handles.', {
    file: 'packages/token-changes/src/token-handles.ts',
    find: 'token-changes:${service}',
    replace: 'token-changes',
  }),
  mutation([90], 'A stream goes on after its credential ended.', {
    file: CHANGES,
    find: 'if (!acceptedCredential(known.get(service), caller.credential, now)) end();\n        else if (proof)',
    replace: 'if (proof)',
  }),
  mutation([90], 'A token is taken in place of the credential of a service.', {
    file: 'packages/http/src/serve.ts',
    find: 'if (rule.services) return createIdentifyService',
    replace: 'if (rule.services && body) return createIdentifyService',
  }),
  mutation([91], 'A verifier asks about tokens whose signature is wrong.', {
    file: `${VERIFIER}/token/signature.ts`,
    find: 'verify(null, message, key, signature)',
    replace: 'verify(null, message, key, signature) || true',
  }),
  mutation([91], 'A verifier fetches the keys for each unknown key that a token names.', {
    file: `${VERIFIER}/token/key-ring.ts`,
    find: '!fetching && askedAt - triedAt >= PAUSE_MS',
    replace: '!fetching',
  }),
  mutation([91], 'Any number of questions is under way.', {
    file: `${VERIFIER}/questions/questions.ts`,
    find: 'if (underWay >= maxUnderWay ||',
    replace: 'if (underWay >= maxUnderWay * 1000 ||',
  }),
  mutation([92], 'A verifier reads lines of any length.', {
    file: `${VERIFIER}/stream/read-events.ts`,
    find: 'const MAX_LENGTH = 512 * 1024;',
    replace: 'const MAX_LENGTH = 512 * 1024 * 1024;',
  }),
  mutation([92], 'A verifier reads a stream from any response.', {
    file: `${VERIFIER}/stream/follow-changes.ts`,
    find: 'response.status !== 200 || !isStream || !response.body',
    replace: '!response.body',
  }),
  mutation([92], 'A verifier does not notice that a line is missing.', {
    file: RULES,
    find: 'stream.lines !== position',
    replace: '(stream.lines !== position && false)',
  }),
  mutation([92], 'A verifier believes a stream for which another request asked.', {
    file: RULES,
    find: 'stream.nonce !== nonce',
    replace: '(stream.nonce !== nonce && false)',
  }),
  mutation([92], 'A verifier reads an answer of any size.', {
    file: `${VERIFIER}/gatehouse.ts`,
    find: 'if (size > maxBytes)',
    replace: 'if (size > maxBytes * 1000)',
  }),
  mutation([93], 'A server opens any number of streams.', {
    file: 'packages/token-changes/src/open-streams.ts',
    find: 'count >= streams ||',
    replace: 'count >= 1000 * streams ||',
  }),
  mutation([93], 'A service opens any number of streams.', {
    file: 'packages/token-changes/src/open-streams.ts',
    find: '>= ofOneService',
    replace: '>= 1000 * ofOneService',
  }),
  mutation([93], 'Streams that were allowed together are all opened.', {
    file: CHANGES,
    find: '!heard || streams.isFull(caller.service)',
    replace: '!heard',
  }),
  mutation([93], 'Changes are written to a client that does not read.', {
    file: 'packages/token-changes/src/change-stream.ts',
    find: 'owesAll = sink.unread() + handles.length > MAX_UNREAD;',
    replace: 'owesAll = sink.unread() + handles.length > 1000 * MAX_UNREAD;',
  }),
];
